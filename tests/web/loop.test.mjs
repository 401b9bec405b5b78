/** The loop builder's machine: it runs any order of blocks, and each forgotten block fails in its own way. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  blocks,
  dividers,
  guardPasses,
  judge,
  loopMaxNewTokens,
  movedTo,
  placeWords,
  rightProgram,
  runLoop,
  startProgram,
  without,
} from "../../www/src/sheets/loop.js";

const vocabulary = 12;

/** A model that counts: after id n comes n + 1. @param {number | null} [endToken] */
const counting = (endToken = null) => ({
  vocabulary,
  endToken,
  tokenize: async () => [1, 2, 3],
  forward: async (/** @type {number[]} */ ids) =>
    Float32Array.from(ids.flatMap((id) => Array.from({ length: vocabulary }, (_, n) => (n === (id + 1) % vocabulary ? 1 : 0)))),
  sample: async (/** @type {Float32Array} */ scores) => scores.indexOf(1),
  detokenize: async (/** @type {number[]} */ ids) => ids.join(" "),
});
const reference = [4, 5, 6, 7, 8, 9, 10, 11];

/** @param {string[]} program @param {ReturnType<typeof counting>} [engine] */
async function run(program, engine = counting()) {
  const outcome = await runLoop(program, engine, "prompt");
  return { ...outcome, ...judge(outcome, reference) };
}

test("the_right_order_makes_what_the_engines_own_loop_makes", async () => {
  const { kind, made, newIds, text, passes, forwardCalls, guarded } = await run(rightProgram);
  assert.equal(kind, "right");
  assert.deepEqual([made, newIds, text], [reference, reference, "4 5 6 7 8 9 10 11"]);
  assert.deepEqual([passes, forwardCalls, guarded], [loopMaxNewTokens, loopMaxNewTokens, false]);
});

test("each_forgotten_block_fails_in_its_own_way", async () => {
  const kinds = Object.fromEntries(
    await Promise.all(blocks.map(async ({ name }) => [name, (await run(without(name))).kind])),
  );
  assert.deepEqual(kinds, {
    tokenize: "fault",
    forward: "fault",
    last: "wrongPlace",
    sample: "fault",
    append: "repeats",
    limit: "runsOn",
    detokenize: "noText",
  });
});

test("without_append_the_same_token_is_picked_until_the_limit", async () => {
  const { made, newIds, guarded } = await run(without("append"));
  assert.deepEqual(made, Array(loopMaxNewTokens).fill(4));
  assert.deepEqual([newIds, guarded], [[], false]);
});

test("without_a_limit_only_the_guard_ends_it_and_it_says_so", async () => {
  const { made, guarded, words } = await run(without("limit"));
  assert.deepEqual([made.length, guarded], [guardPasses, true]);
  assert.match(words, /guard/);
  const both = await run([...rightProgram.filter((name) => !["limit", "append"].includes(name)), "limit", "append"]);
  assert.equal(both.kind, "repeats");
  assert.match(both.words, /guard/);
});

test("without_the_last_position_it_continues_the_first", async () => {
  const { made, words } = await run(without("last"));
  assert.deepEqual(made, Array(loopMaxNewTokens).fill(2), "what follows id 1");
  assert.match(words, /first position/);
});

test("the_end_token_leaves_the_loop_before_the_limit", async () => {
  const { newIds, kind } = await run(rightProgram, counting(6));
  assert.deepEqual(newIds, [4, 5, 6]);
  assert.equal(kind, "differs");
});

test("blocks_in_wrong_places_do_what_such_a_program_does", async () => {
  const again = ["#loop", ...rightProgram.filter((name) => name !== "#loop")];
  assert.equal((await run(again)).kind, "repeats", "the ids are made anew in each pass");
  const early = ["tokenize", "#loop", "forward", "last", "sample", "limit", "append", "#after", "detokenize", "#out"];
  assert.deepEqual((await run(early)).newIds, reference.slice(0, -1), "the last token is picked and lost");
  const inside = ["tokenize", "#loop", "forward", "last", "sample", "append", "detokenize", "limit", "#after", "#out"];
  assert.equal((await run(inside)).kind, "right", "text as it grows");
  const empty = await run(startProgram);
  assert.equal(empty.kind, "fault");
  assert.match(empty.words, /nothing in the loop/);
});

test("a_loop_that_never_samples_picks_nothing", async () => {
  const { kind, guarded } = await run(["tokenize", "#loop", "forward", "limit", "#after", "#out", "last", "sample"]);
  assert.deepEqual([kind, guarded], ["nothing", true]);
});

test("a_fault_of_the_engine_is_no_outcome", async () => {
  const broken = { ...counting(), forward: () => Promise.reject(new Error("gone")) };
  await assert.rejects(run(rightProgram, broken), /gone/);
});

test("moving_a_block_keeps_all_others_and_says_where_it_is", () => {
  const up = movedTo(rightProgram, "append", 2);
  assert.deepEqual(up.slice(0, 4), ["tokenize", "#loop", "append", "forward"]);
  assert.deepEqual([...up].sort(), [...rightProgram].sort());
  assert.equal(placeWords(up, "append"), "in the loop, place 1");
  assert.equal(placeWords(rightProgram, "tokenize"), "before the loop, place 1");
  assert.equal(placeWords(without("limit"), "limit"), "left out");
  assert.equal(movedTo(rightProgram, "append", 99).at(-1), "append");
  for (const program of [rightProgram, startProgram, without("last")]) {
    assert.deepEqual([...program].sort(), [...Object.keys(dividers), ...blocks.map(({ name }) => name)].sort());
    assert.deepEqual(program.filter((name) => name.startsWith("#")), Object.keys(dividers));
  }
});
