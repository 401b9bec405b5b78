/** The text-scores panel without a page: what is told of each token, where the loop parts, and the digests' sentence. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { faultsOf, initialScores, isOutdated, meanFrom, partsAt, scoresOf, toldOf } from "../../www/src/scores/state.js";
import {
  areEqual,
  digestsSentence,
  hashedSentence,
  loopSentence,
  perByteSentence,
  summarySentence,
  tokenSentence,
} from "../../www/src/scores/words.js";
import { initialState, update } from "../../www/src/state.js";

/** @import { TextScores } from "../../www/src/protocol.js" */
/** @import { MadeScores } from "../../www/src/scores/types.js" */

/** @param {number[]} ids @param {number[]} logs of all but the first `unscored` @param {number} [unscored] @returns {TextScores} */
function scores(ids, logs, unscored = 1) {
  const column = (/** @type {number[]} */ of) => ({
    ids: Uint32Array.from(of),
    text: of.map((id) => `t${id}`),
    spoken: of.map((id) => `token ${id}`),
    kind: of.map(() => /** @type {const} */ ("text")),
  });
  const tops = ids.slice(unscored).map((id) => id + 100);
  return {
    tokens: column(ids),
    unscored,
    logProbabilities: Float64Array.from(logs),
    probabilities: Float64Array.from(logs, Math.exp),
    ranks: Uint32Array.from(logs, (_, n) => n),
    topTokens: column(tops),
    topProbabilities: Float64Array.from(tops, () => 0.5),
    summary: {
      tokens: logs.length,
      logProbability: logs.reduce((a, b) => a + b, 0),
      perplexity: 7.5,
      bytes: 20,
      characters: 18,
      natsPerByte: 0.3,
      natsPerCharacter: 0.33,
    },
  };
}

const text = scores([1, 2, 3, 4], [-1, -2, -3]);
/** @param {TextScores | null} loop @returns {MadeScores} */
const made = (loop) => ({ of: initialScores.setup, text, loop, given: 2 });

test("the_first_token_has_no_score_unless_a_start_token_stands_in_front", () => {
  const told = toldOf(text);
  assert.deepEqual(told.map(({ score }) => score?.logProbability ?? null), [null, -1, -2, -3]);
  assert.match(tokenSentence(told[0], 4), /no prediction, nothing is before it/);
  assert.match(tokenSentence(told[2], 4), /^Token 3 of 4, “token 3”: log-probability −2\.00 nats.*rank 2\. Likeliest there: “t103”/);
  assert.match(summarySentence(text), /3 tokens of 4; the first has no prediction/);
  const started = scores([1, 2], [-1, -2], 0);
  assert.deepEqual(toldOf(started).map(({ score }) => score?.logProbability), [-1, -2]);
  assert.match(summarySentence(started), /all 2 tokens, the first after the start token/);
});

test("the_loop_parts_from_the_text_where_its_tokens_do", () => {
  assert.equal(partsAt(made(text)), null);
  assert.match(loopSentence(made(text)), /made this very text/);
  const loop = scores([1, 2, 9, 4], [-1, -0.5, -0.25]);
  assert.equal(partsAt(made(loop)), 2);
  assert.match(loopSentence(made(loop)), /goes its own way at token 3:.* −2\.50 nats for the text, −0\.38 for what the loop/);
  assert.match(loopSentence(made(null)), /nothing to make/);
  assert.equal(meanFrom(text, 2), -2.5);
  assert.equal(meanFrom(text, 9), null);
});

test("what_can_be_compared_between_tokenizers_is_nats_per_byte", () => {
  assert.match(perByteSentence(text) ?? "", /^0\.30 nats for each byte and 0\.33 for each character .*20 bytes, 18 characters/);
  assert.equal(perByteSentence({ ...text, summary: null }), null);
});

test("equal_digests_say_that_nothing_was_learnt_and_different_ones_that_it_must_not_be", () => {
  const digest = { checkpoint: "a", checkpointBytes: 4e6, model: "b", modelBytes: 5e6, kernel: "fused", precision: "int8" };
  assert.equal(areEqual(digest, { ...digest }), true);
  assert.match(digestsSentence({ before: digest, after: { ...digest }, newTokens: 48 }), /^Equal: .*48 tokens/);
  assert.match(digestsSentence({ before: digest, after: { ...digest, model: "c" }, newTokens: 1 }), /^Different/);
  assert.match(hashedSentence(digest), /4\.0 MB.*fused kernel computes with at precision int8 \(5\.0 MB\)/);
});

test("a_field_that_is_wrong_has_its_sentence_and_a_change_makes_what_is_shown_outdated", () => {
  assert.deepEqual(faultsOf(initialScores.setup), {});
  assert.deepEqual(Object.keys(faultsOf({ ...initialScores.setup, text: "", given: "0" })), ["text", "given"]);
  const lab = { ...initialScores, made: made(null) };
  assert.equal(isOutdated(lab), false);
  assert.equal(isOutdated({ ...lab, setup: { ...lab.setup, start: true } }), true);
  const state = update(initialState, { type: "labChanged", name: "scoresLab", value: lab });
  assert.equal(scoresOf(state), lab);
});
