/** The timing panel without a page: what is painted of a run, and its times in words. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createRunWatch, lastRun } from "../../www/src/timing/paints.js";
import { clockWords, figuresOf, ms, perSecond, stagesOf } from "../../www/src/timing/words.js";
import { model, prepared, replay, stepped, stopped, timing } from "./recorded.mjs";

/** @import { TimingLab } from "../../www/src/lab-types.js" */
/** @import { PageEvent, State } from "../../www/src/page-types.js" */
/** @import { RunTiming } from "../../www/src/protocol.js" */

/** @param {Partial<RunTiming>} [change] @param {Partial<TimingLab>} [rest] @returns {TimingLab} */
const lab = (change, rest) => ({
  timing: timing(change),
  model: {
    ...model("Tales"),
    origin: "host",
    timingsMs: { download: 50, digest: 20, load: 30, selfTest: 12 },
  },
  reason: "maxNewTokens",
  paints: null,
  ...rest,
});

/** Plays events on a page that watches itself; "paint" is a frame. @param {("paint" | ((state: State) => PageEvent))[]} script */
function watched(script) {
  /** @type {TimingLab[]} */
  const told = [];
  const watch = createRunWatch((run) => told.push(run));
  let state = prepared;
  for (const entry of script) {
    if (entry === "paint") {
      watch.painted(state);
      continue;
    }
    const before = state;
    state = replay(state, entry(state));
    watch.changed(state, before);
  }
  return told;
}
const start = () => /** @type {PageEvent} */ ({ type: "runStarted", from: "prompt" });
const token = (/** @type {State} */ state) => stepped(state, " a");
/** @param {number} tokens */
const end = (tokens) => (/** @type {State} */ state) =>
  stopped(state, { timing: timing({ latency: { ...timing().latency, outputTokens: tokens } }) });

test("a_frame_with_three_tokens_is_one_paint_and_a_frame_without_one_is_none", () => {
  const [run] = watched([start, "paint", token, token, token, "paint", "paint", token, end(4), "paint"]);
  assert.deepEqual(run.paints, { paints: 2, tokens: 4 });
  assert.equal(run.reason, "maxNewTokens");
});

test("a_run_is_told_once_and_the_next_one_is_counted_anew", () => {
  const told = watched([start, token, "paint", end(1), "paint", "paint", start, token, token, end(2), "paint"]);
  assert.deepEqual(
    told.map(({ paints }) => paints),
    [
      { paints: 1, tokens: 1 },
      { paints: 1, tokens: 2 },
    ],
  );
});

test("paints_that_were_not_all_seen_are_not_told_as_a_count", () => {
  const [run] = watched([start, token, "paint", end(5), "paint"]);
  assert.equal(run.paints, null);
});

test("the_last_run_is_none_while_one_is_running_and_before_any", () => {
  assert.equal(lastRun(prepared), null);
  const running = replay(prepared, { type: "runStarted", from: "prompt" });
  assert.equal(lastRun(replay(running, stepped(running, " a"))), null);
});

test("every_stage_says_what_it_is_from_where_to_where_and_what_is_not_measured_is_named", () => {
  const stages = stagesOf(lab());
  assert.ok(stages.every(({ boundary }) => boundary.length > 10));
  const of = (/** @type {string} */ id) => stages.find((stage) => stage.id === id);
  assert.deepEqual([of("paint")?.time, of("prefill")?.time, of("warm-up")?.time], ["not measured", "3.00 ms", "12.0 ms"]);
  assert.match(of("model")?.boundary ?? "", /^1 forward pass over one token each/);
  assert.match(of("warm-up")?.boundary ?? "", /run 2 since the model was loaded/);
  // Ten steps of 0.1 ms are a millisecond.
  assert.deepEqual([of("detokenize")?.rough, of("sampling")?.rough, of("paint")?.rough], [true, false, false]);
  const cold = stagesOf(lab({ runOfModel: 1, reusedTokens: 32, decodeSteps: 5 }));
  assert.match(cold.find(({ id }) => id === "warm-up")?.boundary ?? "", /it is cold/);
  assert.match(cold.find(({ id }) => id === "prefill")?.boundary ?? "", /32 tokens before them were in the KV cache/);
  assert.match(cold.find(({ id }) => id === "model")?.boundary ?? "", /^5 forward passes over/);
});

test("a_run_that_went_on_has_no_prefill_to_tell", () => {
  const stages = stagesOf(lab({ prefillMs: null, tokenizeMs: null }));
  for (const id of ["tokenize", "prefill"]) {
    assert.equal(stages.find((stage) => stage.id === id)?.time, "not measured");
  }
  const input = figuresOf(lab({ prefillMs: null })).find(({ id }) => id === "input-speed");
  assert.deepEqual([input?.value, input?.boundary], ["not measured", "this run has no prefill"]);
});

test("one_token_has_no_mean_interval", () => {
  const latency = { ...timing().latency, outputTokens: 1, meanIntervalMs: null, intervalMs: null };
  const figures = figuresOf(lab({ latency }));
  const value = (/** @type {string} */ id) => figures.find((figure) => figure.id === id)?.value;
  assert.deepEqual(["mean-interval", "interval-median", "interval-p95"].map(value), Array(3).fill("not available"));
  assert.equal(value("first-token"), "4.00 ms");
  assert.equal(value("paints"), "not counted");
});

test("the_clock_is_told_with_its_step_and_what_it_means_for_tokens", () => {
  assert.match(clockWords(null, null), /not been measured/);
  assert.match(clockWords(null, { stepMs: 0.1, isolated: false }), /steps of 0\.1 ms here\. .*not cross-origin isolated/);
  assert.match(clockWords(lab(), { stepMs: 0.005, isolated: true }), /is cross-origin isolated.*each is timed alone/);
  const { latency } = timing();
  const grouped = lab({ latency: { ...latency, groupTokens: 4, clockStepMs: 1 } });
  assert.match(clockWords(grouped, null), /steps of 1 ms.*4 at a time are timed together/);
  assert.match(clockWords(lab({ latency: { ...latency, resolved: false } }), null), /fewer than ten steps/);
});

test("times_and_speeds_keep_the_digits_that_matter", () => {
  assert.deepEqual([0.5, 12.345, 345.6, 12_345].map(ms), ["0.50 ms", "12.3 ms", "346 ms", "12.3 s"]);
  assert.deepEqual([perSecond(null), perSecond(3.456), perSecond(1234.5)], [
    "not available",
    "3.46 tokens/s",
    "1,235 tokens/s",
  ]);
});
