/** The worked example: how its input is read, what the engine is asked, and the fractions beside the engine's numbers. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { initialExample, variants } from "../../www/src/example.js";
import { callOf, faultsOf, fractionsOf, parseLogit } from "../../www/src/example-numbers.js";
import { toText } from "../../www/src/rational.js";
import { update } from "../../www/src/state.js";
import { from, prepared, replay } from "./recorded.mjs";

/** @import { FullStep } from "../../www/src/protocol.js" */

const { input } = initialExample;
/** @param {({ n: bigint, d: bigint } | null)[]} fractions */
const texts = (fractions) => fractions.map((fraction) => fraction && toText(fraction));

/** What the engine says of the four tokens. @param {Partial<FullStep>} change */
const step = (change) =>
  /** @type {FullStep} */ ({
    ranking: new Uint32Array([0, 1, 2, 3]),
    baseProbabilities: new Float64Array([8, 4, 2, 1].map((weight) => weight / 15)),
    cuts: [{ kind: "topP", value: 0.75, keptBefore: 4, keptAfter: 1 }],
    ...change,
  });

test("a_logit_is_a_number_or_the_logarithm_of_one", () => {
  for (const text of ["log 8", "ln 8", "LOG(8)", " log  8 ", "log 16/2"]) {
    const read = parseLogit(text);
    assert.equal(read?.value, Math.log(8), text);
    assert.equal(read?.weight && toText(read.weight), "8", text);
  }
  assert.deepEqual(parseLogit("1.5"), { value: 1.5, weight: null });
  assert.equal(parseLogit("0")?.weight?.n, 1n);
  for (const text of ["", "log", "log 0", "log -1", "eight", "Infinity", "1e9"]) assert.equal(parseLogit(text), null, text);
});

test("what_is_wrong_is_said_by_field_and_the_engine_is_not_asked", () => {
  const wrong = { logits: ["log 8", "x"], temperature: "warm", topK: "1.5", topP: "2" };
  assert.deepEqual(Object.keys(faultsOf(wrong)).sort(), ["1", "temperature", "topK", "topP"]);
  assert.equal(callOf(wrong, variants[0]), null);
  assert.deepEqual(faultsOf(input), {});
  assert.deepEqual(faultsOf({ ...input, temperature: "0" }), {}, "the engine has two rules for it");
});

test("both_orders_are_asked_with_top_k_before_top_p", () => {
  const kinds = (/** @type {number} */ n) =>
    callOf({ ...input, topK: "3" }, variants[n])?.settings.chain?.map(({ kind }) => kind);
  assert.deepEqual(kinds(0), ["temperature", "topK", "topP"]);
  assert.deepEqual(kinds(2), ["topK", "topP", "temperature"]);
  assert.deepEqual(
    variants.map((variant) => callOf(input, variant)?.settings.boundary),
    ["smallest", "listing", "smallest", "listing"],
  );
});

test("temperature_first_has_64_of_85_and_top_p_first_4_of_5", () => {
  const sharp = step({
    cutBy: new Uint8Array([0, 1, 1, 1]),
    cumulative: new Float64Array([64, 80, 84, 85].map((weight) => weight / 85)),
    probabilities: new Float64Array([1, 0, 0, 0]),
  });
  const first = fractionsOf(input, variants[0], sharp);
  assert.deepEqual(texts(first.base), ["8/15", "4/15", "2/15", "1/15"]);
  assert.deepEqual(texts(first.cumulative), ["64/85", "16/17", "84/85", "1"]);
  assert.deepEqual(texts(first.chances), ["1", null, null, null]);
  const wide = step({
    cutBy: new Uint8Array([0, 0, 1, 1]),
    cumulative: new Float64Array([8, 12, 14, 15].map((weight) => weight / 15)),
    probabilities: new Float64Array([0.8, 0.2, 0, 0]),
  });
  const second = fractionsOf(input, variants[2], wide);
  assert.deepEqual(texts(second.cumulative), ["8/15", "4/5", "14/15", "1"]);
  assert.deepEqual(texts(second.chances), ["4/5", "1/5", null, null]);
});

test("the_engine's_numbers_lead_a_fraction_that_differs_is_not_shown", () => {
  const other = step({
    cutBy: new Uint8Array(4),
    cuts: [],
    cumulative: new Float64Array(4),
    probabilities: new Float64Array([0.7529, 0.1882, 0.0471, 0.0118]),
  });
  assert.deepEqual(texts(fractionsOf(input, variants[0], other).chances), [null, null, null, null]);
});

test("without_exact_weights_or_a_whole_power_there_is_no_fraction", () => {
  const flat = step({
    cutBy: new Uint8Array(4),
    cuts: [],
    cumulative: new Float64Array([8, 12, 14, 15].map((weight) => weight / 15)),
    probabilities: new Float64Array([8, 4, 2, 1].map((weight) => weight / 15)),
  });
  const warm = fractionsOf({ ...input, temperature: "0.7" }, variants[0], flat);
  assert.deepEqual([texts(warm.base)[0], texts(warm.chances)[0]], ["8/15", null]);
  const number = fractionsOf({ ...input, logits: ["2.08", "log 4", "log 2", "log 1"] }, variants[0], flat);
  assert.deepEqual(texts(number.base), [null, null, null, null]);
});

test("answers_find_their_variant_and_late_ones_are_dropped", () => {
  const sent = update(prepared, { type: "exampleSent" });
  const answer = step({ cutBy: new Uint8Array(4) });
  const [, second] = sent.example.runIds;
  const answered = update(sent, from(1, { type: "answered", runId: second, answer: { method: "sampleStep", step: answer } }));
  assert.deepEqual(answered.example.outcomes, [null, { step: answer }, null, null]);
  const asked = update(answered, { type: "exampleSent" });
  assert.equal(update(asked, from(1, { type: "answered", runId: second, answer: { method: "sampleStep", step: answer } })), asked);
});

test("a_variant_that_the_engine_refuses_says_why_and_is_no_problem_of_the_page", () => {
  const sent = update(prepared, { type: "exampleSent" });
  const error = { code: /** @type {const} */ ("settings"), message: "choose greedy", details: { subject: null, expected: null, found: null } };
  const refused = update(sent, from(1, { type: "failed", runId: sent.example.runIds[0], revision: null, error }));
  assert.deepEqual(refused.example.outcomes[0], { fault: "choose greedy" });
  assert.deepEqual(refused.problems, []);
});

test("stages_of_another_number_of_tokens_are_taken_away", () => {
  const sent = update(prepared, { type: "exampleSent" });
  const refused = replay(
    sent,
    from(1, { type: "answered", runId: sent.example.runIds[0], answer: { method: "sampleStep", step: step({}) } }),
    { type: "exampleChanged", input: { logits: ["log 2", "log 1"] } },
  );
  assert.deepEqual(refused.example.outcomes, [null, null, null, null]);
});
