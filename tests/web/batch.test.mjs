/** The batch panel without a page: what is asked for, and what is said of what came of it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  batchOf,
  callOf,
  faultsOf,
  initialBatch,
  isOutdated,
  withOneMore,
  withRequest,
  withoutRequest,
} from "../../www/src/batch/state.js";
import {
  admissionSentence,
  equalitySentence,
  latencySentence,
  orderSentence,
  paddingSentence,
  reversedSentence,
  throughputSentence,
  workSentence,
} from "../../www/src/batch/words.js";
import { defaultControls } from "../../www/src/controls.js";
import { initialState, update } from "../../www/src/state.js";

/** @import { BatchedRequest, BatchResult } from "../../www/src/protocol.js" */
/** @import { BatchSetup, MadeBatch } from "../../www/src/batch/types.js" */

const prompts = ["a longer prompt of the catalogue", "a short one", "of middle length"];
const { setup } = initialBatch(prompts);
const noTokens = { ids: new Uint32Array(0), text: [], spoken: [], kind: [] };
const tokens = (/** @type {number} */ n) => ({ ...noTokens, ids: new Uint32Array(n) });

/** @param {string} name @param {number | null} parts @param {number} latencyMs @param {number} runMs @returns {BatchedRequest} */
const batched = (name, parts, latencyMs, runMs, reversed = /** @type {number | null | undefined} */ (undefined)) => ({
  name,
  seed: 1,
  promptTokens: tokens(3),
  newTokens: tokens(4),
  text: "text",
  stopReason: "maxNewTokens",
  firstTokenMs: 1,
  latencyMs,
  alone: {
    run: { newIds: new Uint32Array(4), text: "alone", firstDifference: parts },
    runMs,
    latencyMs: runMs,
    largestLogitDifference: 1e-6,
    compared: 4,
  },
  reversed: reversed === undefined ? null : { newIds: new Uint32Array(4), text: "other", firstDifference: reversed },
});

/** @param {BatchedRequest[]} requests @param {Partial<BatchResult>} [change] @returns {BatchResult} */
const resultOf = (requests, change = {}) => ({
  requests,
  order: Uint32Array.from(requests, (_, n) => n),
  layouts: [],
  work: { real: 60, padding: 20, finished: 20, forwardCalls: 9, rebuilds: 0, copiedBytes: 0 },
  newTokens: 24,
  batchMs: 40,
  admissionMs: 0,
  tokensPerSecond: 600,
  aloneMs: 60,
  tokensPerSecondAlone: 400,
  ...change,
});

/** @param {BatchResult} result @param {Partial<BatchSetup>} [of] @returns {MadeBatch} */
const made = (result, of = {}) => ({ of: { ...setup, ...of }, greedy: false, stopped: false, secondWorker: null, result });

test("it_starts_with_three_prompts_of_the_catalogue_whose_order_by_length_is_another", () => {
  assert.deepEqual(
    setup.requests.map(({ prompt }) => prompt),
    ["of middle length", "a longer prompt of the catalogue", "a short"],
  );
  assert.deepEqual(faultsOf(setup), {});
  const state = update(initialState, { type: "labChanged", name: "batchLab", value: initialBatch(prompts) });
  assert.equal(batchOf(state), state.batchLab);
});

test("there_are_two_to_eight_requests_each_with_a_name_of_its_own", () => {
  let grown = setup;
  for (let n = 0; n < 9; n += 1) grown = withOneMore(grown, prompts);
  assert.equal(grown.requests.length, 8);
  assert.equal(new Set(grown.requests.map(({ name }) => name)).size, 8);
  let shrunk = setup;
  for (let n = 0; n < 3; n += 1) shrunk = withoutRequest(shrunk, 0);
  assert.equal(shrunk.requests.length, 2);
  const twice = withRequest(setup, 2, { name: setup.requests[0].name });
  assert.deepEqual(Object.keys(faultsOf(twice)), ["name-2"]);
  const wrong = { ...withRequest(setup, 1, { prompt: "", newTokens: "0" }), schedule: /** @type {const} */ ("groups"), rows: "9" };
  assert.deepEqual(Object.keys(faultsOf(wrong)), ["prompt-1", "newTokens-1", "rows"]);
});

test("the_call_seeds_each_request_by_its_place_in_the_list", () => {
  const controls = { ...defaultControls, seed: 2 ** 32 - 1, greedy: true };
  const call = callOf(setup, controls);
  assert.deepEqual(
    call.requests.map(({ name, seed }) => [name, seed]),
    [["Ada", 4294967295], ["Ben", 0], ["Cem", 1]],
  );
  assert.equal(call.settings?.greedy, true);
  assert.ok(!("rows" in call) && !("sharedSeed" in call));
  assert.equal(call.padding, "left");
  const mistakes = callOf({ ...setup, schedule: "continuous", rows: "3", rightPadding: true, sharedStream: true }, defaultControls);
  assert.deepEqual([mistakes.rows, mistakes.continuous, mistakes.padding], [3, true, "right"]);
  assert.deepEqual([mistakes.sharedSeed, mistakes.alsoReversed], [42, true]);
});

test("what_is_shown_is_outdated_once_something_above_it_has_changed", () => {
  const lab = { ...initialBatch(prompts), setup, made: made(resultOf([]), {}) };
  assert.equal(isOutdated(lab), true);
  assert.equal(isOutdated({ ...lab, made: { ...lab.made, of: setup } }), false);
});

test("sentences_say_whether_rows_equal_their_runs_alone_and_where_they_part", () => {
  assert.match(equalitySentence(resultOf([batched("Ada", null, 9, 4)])), /^Every request made .* very tokens/);
  const parted = resultOf([batched("Ada", null, 9, 4), batched("Ben", 0, 9, 4), batched("Cem", 2, 9, 4)]);
  assert.equal(
    equalitySentence(parted),
    "Not what they make alone: Ben from new token 1 on and Cem from new token 3 on.",
  );
  assert.match(equalitySentence(resultOf([{ ...batched("Ada", null, 9, 4), alone: null }])), /^No request has been run alone/);
});

test("work_is_counted_in_places_and_throughput_says_nothing_of_latency", () => {
  const result = resultOf([batched("Ada", null, 30, 10), batched("Ben", null, 8, 10)]);
  assert.match(workSentence(result.work), /^100 places .* 60 real tokens: 20 of padding and 20 of rows .* 40 % for nothing/);
  assert.match(throughputSentence(result), /600\.0 tokens a second.*400\.0 tokens a second; the batch gave 1\.50 times that\. Each was/);
  const slower = resultOf([], { tokensPerSecond: 300 });
  assert.match(throughputSentence(slower), /0\.75 times that\. Here what is computed for nothing/);
  assert.match(latencySentence(result), /does not mean .* Ada waited longer .* Ada 30 ms in place of 10 ms/);
  assert.match(latencySentence(resultOf([batched("Ben", null, 8, 10)])), /^Here nobody waited longer .* does not mean/);
  const admitted = resultOf([], { work: { ...result.work, rebuilds: 2, copiedBytes: 4096 }, admissionMs: 3 });
  assert.match(admissionSentence(admitted), /2 times: 4\.1 kB .* waited 3\.0 ms/);
});

test("names_are_given_in_both_orders", () => {
  const requests = ["Ada", "Ben", "Cem"].map((name) => batched(name, null, 9, 4));
  assert.match(orderSentence(resultOf(requests)), /^As given, and in the rows from the top: Ada, Ben, Cem\.$/);
  assert.match(
    orderSentence(resultOf(requests, { order: Uint32Array.of(2, 0, 1) })),
    /^As given: Ada, Ben, Cem\. In the rows from the top: Cem, Ada, Ben\./,
  );
});

test("each_mistake_has_a_sentence", () => {
  const changed = made(resultOf([batched("Ada", null, 9, 4, 3), batched("Ben", null, 9, 4, null)]), { sharedStream: true });
  assert.match(reversedSentence(changed) ?? "", /opposite order Ada got another text, from the same prompts, settings and seed/);
  const greedy = { ...made(resultOf([batched("Ada", null, 9, 4, null)]), { sharedStream: true }), greedy: true };
  assert.match(reversedSentence(greedy) ?? "", /Greedy decoding draws nothing/);
  assert.equal(reversedSentence(made(resultOf([batched("Ada", null, 9, 4)]))), null);
  const row = { request: 1, cells: Uint8Array.of(1, 0), mask: new Uint8Array(4), maskColumns: 2 };
  const layouts = [{ startColumns: 2, carried: false, steps: 0, rows: [{ ...row, request: 0, cells: Uint8Array.of(1, 1) }, row] }];
  const padded = made(resultOf([batched("Ada", null, 9, 4), batched("Ben", 0, 9, 4)], { layouts }), { rightPadding: true });
  assert.match(paddingSentence(padded) ?? "", /^The first new token of Ben was read from the last column, which is padding/);
  assert.equal(paddingSentence({ ...padded, of: setup }), null);
});
