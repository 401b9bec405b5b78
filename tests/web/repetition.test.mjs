/** How much a text repeats itself, against counting by hand. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createRepetition, RepetitionCounter } from "../../www/src/repetition.js";
import { appendSteps, firstSteps } from "../../www/src/text-blocks.js";
import { step } from "./recorded.mjs";

/** @param {number[]} ids */
function counted(ids) {
  const counter = new RepetitionCounter();
  ids.forEach((id) => counter.add(id));
  return counter.result;
}

/** Every stretch that equals itself shifted by some length, compared token by token. @param {number[]} ids */
function byHand(ids) {
  let loop = null;
  for (let length = 1; length <= ids.length; length++) {
    for (let start = 0; start + 2 * length <= ids.length; start++) {
      let end = start + length;
      while (end < ids.length && ids[end] === ids[end - length]) end++;
      const span = end - start;
      if (span >= 2 * length && span > (loop?.span ?? 0)) loop = { start, length, times: Math.floor(span / length), span };
    }
  }
  return { tokens: ids.length, distinct: new Set(ids).size, loop };
}

/** @param {{ id: number }[]} tokens */
const stepsOf = (tokens) => tokens.map(({ id }, index) => ({ ...step(index, ` ${id}`), id }));
/** @param {number[]} ids */
const steps = (ids) => stepsOf(ids.map((id) => ({ id })));

test("the_longest_loop_is_the_one_that_counting_by_hand_finds", () => {
  let word = 7;
  const random = (/** @type {number} */ below) => (word = (word * 1103515245 + 12345) % 2 ** 31) % below;
  for (let times = 0; times < 300; times++) {
    const ids = Array.from({ length: random(40) }, () => random(1 + random(4)));
    const expected = byHand(ids);
    const found = counted(ids);
    assert.equal(found.tokens, expected.tokens);
    assert.equal(found.distinct, expected.distinct, ids.join());
    assert.equal(found.loop?.span, expected.loop?.span, ids.join());
    assert.equal(found.loop?.length, expected.loop?.length, ids.join());
  }
});

test("a_word_that_is_repeated_is_a_loop_of_one_and_not_of_many", () => {
  assert.deepEqual(counted([1, 2, 2, 2, 2, 3]).loop, { start: 1, length: 1, times: 4, span: 4 });
  assert.deepEqual(counted([5, 1, 2, 3, 1, 2, 3, 1, 9]).loop, { start: 1, length: 3, times: 2, span: 7 });
  assert.equal(counted([1, 2, 1, 3, 1]).loop, null, "again is no loop when something stands between");
});

test("a_text_that_grows_is_counted_on_and_another_text_from_its_beginning", () => {
  const ids = Array.from({ length: 200 }, (_, n) => (n * n) % 23);
  const measure = createRepetition();
  const blocks = appendSteps([], steps(ids.slice(0, 120)));
  assert.deepEqual(measure(blocks), counted(ids.slice(0, 120)));
  const grown = appendSteps(blocks, steps(ids).slice(120));
  assert.deepEqual(measure(grown), counted(ids));
  const other = [...ids];
  other[60] = 99;
  assert.deepEqual(measure(appendSteps([], steps(other))), counted(other), "as long, with another token in the middle");
  assert.deepEqual(measure(firstSteps(grown, 70)), counted(ids.slice(0, 70)));
  assert.deepEqual(measure([]), counted([]));
});
