import assert from "node:assert/strict";
import { test } from "node:test";
import { appendSteps, appendText, blockTokens, countSteps } from "../../www/src/text-blocks.js";
import { Reads } from "../../www/src/views/reads.js";
import { step } from "./recorded.mjs";

/** @param {string[]} texts @param {number} [at] */
const steps = (texts, at = 0) => texts.map((text, n) => step(at + n, text));
/** @param {number} length */
const words = (length) => steps(Array(length).fill(" word"));

test("blocks_hold_every_step_in_order_whatever_the_batches", () => {
  const all = words(500);
  for (const size of [1, 7, 500]) {
    /** @type {ReturnType<typeof steps>[]} */
    let blocks = [];
    for (let at = 0; at < all.length; at += size) blocks = appendSteps(blocks, all.slice(at, at + size));
    assert.deepEqual(blocks.flat(), all);
    assert.equal(countSteps(blocks), 500);
    assert.ok(blocks.slice(0, -1).every(({ length }) => length === blockTokens));
  }
});

test("a_new_step_copies_the_last_block_only", () => {
  const before = appendSteps([], words(300));
  const after = appendSteps(before, steps([" more"], 300));
  assert.deepEqual(after.slice(0, -1).map((block, n) => block === before[n]), before.slice(0, -1).map(() => true));
  assert.notEqual(after.at(-1), before.at(-1));
  assert.equal(countSteps(before), 300, "the state before is as it was");
  assert.equal(appendSteps(before, []), before);
});

test("a_block_ends_before_a_space_between_words_or_after_a_line_break_and_anywhere_in_the_end", () => {
  const full = words(blockTokens);
  /** @param {string[]} texts */
  const sizes = (...texts) => appendSteps([], [...full, ...steps(texts)]).map(({ length }) => length - blockTokens);
  assert.deepEqual(sizes("ing", ".", " So"), [3], "neither within a word nor after a full stop");
  assert.deepEqual(sizes("ing", " on"), [1, 1 - blockTokens]);
  assert.deepEqual(sizes(".\n", "So"), [1, 1 - blockTokens]);
  assert.deepEqual(sizes(" שלום", " שלום"), [2], "right to left, the order on the line would be another");
  assert.equal(appendSteps([], steps(Array(1000).fill("!"))).length, 6);
});

test("text_held_back_is_appended_to_the_last_step", () => {
  const blocks = appendSteps([], steps([" a", " b"]));
  assert.deepEqual(appendText(blocks, "c").flat().map(({ text }) => text), [" a", " bc"]);
  assert.equal(appendText(blocks, ""), blocks);
  assert.deepEqual(appendText([], "c"), []);
});

test("a_view_is_due_again_when_something_that_it_read_has_changed_and_only_then", () => {
  const state = { prompt: "Once", rows: 10, open: false };
  const reads = /** @type {Reads<typeof state>} */ (new Reads());
  /** @param {typeof state} seen */
  const view = (seen) => (seen.open ? seen.rows : seen.prompt);
  assert.equal(reads.hold(state), false, "never drawn");
  assert.equal(view(reads.watch(state)), "Once");
  assert.equal(reads.hold({ ...state, rows: 20 }), true);
  assert.equal(reads.hold({ ...state, prompt: "Twice" }), false);
  const opened = { ...state, open: true };
  assert.equal(reads.hold(opened), false);
  assert.equal(view(reads.watch(opened)), 10);
  assert.equal(reads.hold({ ...opened, prompt: "Twice" }), true, "not read while open");
  assert.equal(reads.hold({ ...opened, rows: 20 }), false);
});
