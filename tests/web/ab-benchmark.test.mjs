/** The benchmark of the A/B panel without a page: turns, what is kept, and what may be said. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { benchmark } from "../../www/src/ab/benchmark.js";
import { benchmarkSentence, causeSentence, metricRows, workloadLine } from "../../www/src/ab/benchmark-words.js";
import { usualConfiguration } from "../../www/src/ab/configuration.js";
import { initialAb, isBenchmarkOutdated, updateAb } from "../../www/src/ab/state.js";

/** @import { AbEvent, BenchmarkPlan, Configuration, Pair } from "../../www/src/ab/types.js" */
/** @import { BenchmarkSummary, MetricName, Outcome, Spread, Verdict } from "../../www/src/protocol.js" */

/** @type {BenchmarkPlan} */
const plan = { newTokens: 8, warmUps: 1, repeats: 2, forced: true };
/** @type {Pair<Configuration>} */
const pair = [usualConfiguration, { ...usualConfiguration, cache: "off", precision: "int8" }];

/** @param {Partial<Outcome>} [change] @returns {Outcome} */
const outcome = (change = {}) => ({
  warmUp: false,
  outputTokens: 8,
  prefillMs: 4,
  decodeMs: 14,
  totalMs: 20,
  clockStepMs: 0.1,
  ...change,
});

/**
 * Workers that answer at once; A is 1 and B is 2. @param {(call: any, workerId: number) => void} [watch]
 * @param {Record<number, number[]>} [ids] of the prompt, by worker
 */
function workers(watch = () => {}, ids = { 1: [5, 6], 2: [5, 6] }) {
  /** @type {[number, any][]} */
  const asked = [];
  const stopping = new AbortController();
  const calls = /** @type {any} */ ({
    ask: async (/** @type {number} */ workerId, /** @type {any} */ call) => {
      asked.push([workerId, call]);
      watch(call, workerId);
      if (call.method === "tokenize") return { tokens: { ids: Uint32Array.from(ids[workerId]) } };
      if (call.method === "summarize") return { summary: { first: [], second: [], comparison: null } };
      return { outcomes: stopping.signal.aborted ? [] : [outcome({ warmUp: call.warmUps === 1 })] };
    },
  });
  const placeOf = async (/** @type {{ precision?: string }} */ { precision }) => ({
    workerId: precision === "int8" ? 2 : 1,
    vocabulary: 4,
    own: precision === "int8",
  });
  return { asked, stopping, bench: { calls, placeOf, report() {}, signal: stopping.signal } };
}

test("both_sides_take_turns_on_the_same_ids_and_every_outcome_is_kept", async () => {
  const { asked, bench } = workers();
  const found = await benchmark(pair, plan, "Once", bench);
  const runs = asked.filter(([, call]) => call.method === "benchmark");
  assert.deepEqual(
    runs.map(([workerId, { warmUps, repeats }]) => [workerId, warmUps, repeats]),
    [
      [1, 1, 0],
      [2, 1, 0],
      [1, 0, 1],
      [2, 0, 1],
      [1, 0, 1],
      [2, 0, 1],
    ],
  );
  for (const [workerId, call] of runs) {
    assert.deepEqual([call.ids, call.forced, call.limits.maxNewTokens], [[5, 6], true, 8]);
    assert.equal(call.cache, workerId === 1);
  }
  assert.equal(asked.filter(([, call]) => call.method === "tokenize").length, 2, "cut once a worker, not once a run");
  assert.deepEqual(
    found.outcomes.map((side) => side.map(({ warmUp }) => warmUp)),
    [
      [true, false, false],
      [true, false, false],
    ],
  );
  assert.deepEqual([found.complete, found.ownWorker, found.ids], [true, [false, true], [5, 6]]);
  assert.deepEqual(JSON.parse(JSON.stringify(found)), found, "plain data, which can be exported");
});

test("a_benchmark_that_is_stopped_keeps_the_pairs_that_were_finished", async () => {
  let runs = 0;
  const { stopping, bench } = workers((call) => {
    if (call.method === "benchmark" && ++runs === 6) stopping.abort();
  });
  const found = await benchmark(pair, plan, "Once", bench);
  assert.deepEqual([found.complete, found.outcomes[0].length, found.outcomes[1].length], [false, 2, 2]);

  const early = workers((call) => call.method === "benchmark" && early.stopping.abort());
  await assert.rejects(benchmark(pair, plan, "Once", early.bench), { name: "AbortError" });
});

test("models_that_cut_the_prompt_differently_have_no_work_in_common", async () => {
  const { bench } = workers(() => {}, { 1: [5, 6], 2: [5, 7] });
  await assert.rejects(benchmark(pair, plan, "Once", bench), /no fixed work in common/);
});

/** @param {number} smallest @param {number} median @param {number} largest @returns {Spread} */
const spread = (smallest, median, largest) => ({
  count: 7,
  smallest,
  lowerQuartile: smallest,
  median,
  upperQuartile: largest,
  p95: largest,
  largest,
});
const metrics = /** @type {MetricName[]} */ (["prefillMs", "decodeMsPerToken", "totalMs", "tokensPerSecond"]);
/** @param {Verdict} verdict @param {Spread | null} ratio @returns {BenchmarkSummary} */
const summary = (verdict, ratio) => ({
  first: metrics.map((metric) => ({ metric, spread: spread(1, 2, 3) })),
  second: metrics.map((metric) => ({ metric, spread: null })),
  comparison: { pairs: 7, chanceOfOneSide: 1 / 64, metrics: metrics.map((metric) => ({ metric, ratios: [], ratio, verdict })) },
});
/** @param {Verdict} verdict @param {Spread | null} [ratio] @param {Pair<Outcome[]>} [outcomes] */
const said = (verdict, ratio = spread(0.6, 0.62, 0.7), outcomes = [[outcome()], [outcome()]]) =>
  benchmarkSentence({ summary: summary(verdict, ratio), outcomes });

test("a_winner_is_named_with_how_much_and_how_sure", () => {
  assert.equal(
    said("second"),
    "B is faster: B took 0.620 times as long as A (median of 7 pairs; smallest 0.600, largest 0.700). Were neither faster, all pairs would agree by chance in 1 of 64 such benchmarks.",
  );
  assert.match(said("first", spread(1.5, 2, 3)), /^A is faster: B took 2\.000 times as long as A/);
});

test("where_no_winner_may_be_named_a_sentence_says_why", () => {
  const lengths = said("lengthsDiffer", null, [
    [outcome({ warmUp: true, outputTokens: 3 }), outcome({ outputTokens: 12 })],
    [outcome({ outputTokens: 24 }), outcome({ outputTokens: 30 })],
  ]);
  assert.match(lengths, /^No winner .*different numbers of tokens \(A 12, B 24 to 30\)\. A shorter text ends sooner/);
  assert.match(said("spreadCoversOne", spread(0.93, 1, 1.08)), /0\.930 to 1\.080 times as long as A, .*disagree/);
  assert.match(said("tooFewPairs"), /7 pairs may agree by chance alone; 5 are the fewest/);
  assert.match(said("clockTooCoarse"), /shorter than ten steps of the clock/);
  for (const verdict of /** @type {const} */ (["lengthsDiffer", "spreadCoversOne", "tooFewPairs", "clockTooCoarse", "notMeasured"])) {
    assert.doesNotMatch(said(verdict), /is faster:/);
  }
});

test("a_ratio_is_put_down_to_one_difference_only", () => {
  assert.match(causeSentence([]), /the same: .*own noise/);
  assert.match(causeSentence(["kernel"]), /one thing, kernel/);
  assert.match(causeSentence(["kernel", "weights"]), /2 things \(kernel, weights\): the ratio cannot say which/);
  const [prefill] = metricRows(summary("second", spread(0.6, 0.62, 0.7)));
  assert.deepEqual(
    [prefill.a, prefill.b, prefill.byA, prefill.verdict],
    ["2.00 (1.00 to 3.00)", "not available", "0.620 (0.600 to 0.700)", "B is faster"],
  );
});

test("the_workload_is_told_with_everything_that_was_held_fixed", () => {
  const [, b] = pair;
  const controls = { ...b.controls, stop: "xyz", greedy: true };
  const line = workloadLine({ ...b, controls }, plan, []);
  for (const part of ["SIMD level: exact", "Weights: INT8", "KV cache: not used", "Kernel: fused", "greedy", "8 new tokens"])
    assert.ok(line.includes(part), `${part} in ${line}`);
  assert.ok(!line.includes("xyz"), "a forced run has no stop string");
  assert.ok(workloadLine({ ...b, controls }, { ...plan, forced: false }, []).includes("xyz"));
});

test("the_plan_takes_whole_numbers_in_its_ranges_and_says_so_otherwise", () => {
  /** @param {AbEvent[]} events */
  const after = (...events) => events.reduce(updateAb, initialAb(pair));
  const good = after({ type: "planTyped", name: "repeats", text: "9" }, { type: "forcedToggled" }, { type: "left" });
  assert.deepEqual([good.plan.repeats, good.plan.forced, good.typed], [9, false, {}]);
  for (const text of ["", "0", "2.5", "101", "x"]) {
    const bad = after({ type: "planTyped", name: "repeats", text });
    assert.deepEqual([bad.plan.repeats, bad.faults.repeats], [7, "A whole number from 1 to 100."], text);
  }
  assert.equal(after({ type: "planTyped", name: "warmUps", text: "0" }).plan.warmUps, 0);
});

test("a_benchmark_is_outdated_by_another_prompt_configuration_or_plan", async () => {
  const { bench } = workers();
  const ab = { ...initialAb(pair), plan };
  const measured = updateAb(ab, { type: "benchmarked", benchmark: await benchmark(pair, plan, "Once", bench) });
  assert.equal(isBenchmarkOutdated(measured, "Once"), false);
  assert.equal(isBenchmarkOutdated(measured, "Twice"), true);
  assert.equal(isBenchmarkOutdated(updateAb(measured, { type: "swapped" }), "Once"), true);
  assert.equal(isBenchmarkOutdated(updateAb(measured, { type: "forcedToggled" }), "Once"), true);
});
