/** The KV cache's panel and the memory panel in figures and words; an uncached run in state and link. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { candleHolding, candleNotice, candleOutcome } from "../../www/src/candle-place.js";
import { runCheck } from "../../www/src/cache-lab/check.js";
import { columnsOf, passSentence, stretchesOf } from "../../www/src/cache-lab/pass.js";
import { reason, timeSentence, verdict } from "../../www/src/cache-lab/words.js";
import { budgetSentence, budgetSum, bothUnits, partsOf, projection } from "../../www/src/memory-lab/numbers.js";
import { initialMemoryLab } from "../../www/src/memory-lab/actions.js";
import { initialState, update } from "../../www/src/state.js";
import { fromFragment, toFragment } from "../../www/src/url-state.js";

/** @param {number} count */
const tokens = (count) => ({
  ids: Uint32Array.from({ length: count }, (_, n) => n),
  text: Array.from({ length: count }, (_, n) => `t${n}`),
  spoken: [],
  kind: [],
});
/** @param {Partial<import("../../www/src/protocol.js").CacheState>} change */
const pass = (change) => ({
  reused: 0,
  computed: 0,
  discarded: 0,
  shared: 0,
  cache: true,
  layers: 6,
  promptTokens: 0,
  tokens: tokens(0),
  ...change,
});

test("an_edit_leaves_what_is_reused_computed_again_computed_and_gone", () => {
  const longer = pass({ reused: 64, computed: 40, discarded: 30, shared: 70, tokens: tokens(104) });
  assert.deepEqual(stretchesOf(longer), [
    { fate: "reused", first: 0, count: 64 },
    { fate: "again", first: 64, count: 30 },
    { fate: "computed", first: 94, count: 10 },
  ]);
  const shorter = pass({ reused: 32, computed: 3, discarded: 60, shared: 32, tokens: tokens(35) });
  assert.deepEqual(stretchesOf(shorter).map(({ fate, count }) => [fate, count]), [
    ["reused", 32],
    ["again", 3],
    ["gone", 57],
  ]);
  const step = pass({ reused: 9, computed: 1, shared: 9, tokens: tokens(11) });
  assert.deepEqual(stretchesOf(step).map(({ fate, first }) => [fate, first]), [
    ["reused", 0],
    ["computed", 9],
    ["unread", 10],
  ]);
  assert.match(passSentence(longer), /104 positions: 64 reused, 40 computed.* 240 of 624 entries computed in 6 layers/);
  assert.match(passSentence(longer), /30 positions that the cache held had to go.*6 positions had the same tokens.*chunks of 32/);
  assert.match(passSentence(pass({ computed: 10, discarded: 9, shared: 9, cache: false })), /switched off/);
});

test("a_long_context_is_put_into_columns_that_never_mix_two_fates", () => {
  const long = stretchesOf(pass({ reused: 960, computed: 41, discarded: 40, shared: 960, tokens: tokens(1001) }));
  const { perColumn, columns } = columnsOf(long);
  assert.equal(perColumn, 16);
  assert.ok(columns.length <= 64 + long.length);
  assert.equal(columns.reduce((sum, { count }) => sum + count, 0), 1001);
  const bounds = columns.map(({ first, count }) => [first, first + count]);
  assert.ok(bounds.every(([first], n) => n === 0 || first === bounds[n - 1][1]));
  assert.deepEqual(columns.at(-1), { fate: "computed", first: 1000, count: 1 });
});

/** @param {Partial<import("../../www/src/cache-lab/types.js").CheckRow>[]} rows */
const outcome = (rows, change = {}) =>
  /** @type {import("../../www/src/cache-lab/types.js").CheckOutcome} */ ({
    kind: "cache",
    names: ["with the cache", "without the cache"],
    kernels: ["fused", "fused"],
    rows: rows.map((row, n) => ({
      context: 5 + n,
      difference: 0,
      sameBits: true,
      mostDifferent: "",
      best: [" a", " a"],
      sameBest: true,
      ms: [1, 2 * (n + 1)],
      ...row,
    })),
    total: rows.length,
    ...change,
  });

test("a_verdict_says_what_the_rows_say", () => {
  const same = outcome([{}, {}, {}]);
  assert.match(verdict(same), /^At all 3 steps every logit has the same bits .*exactly 0/);
  assert.match(reason(same), /Why exactly 0/);
  assert.match(timeSentence(same), /1\.0 ms with the cache, 5\.0 ms without the cache; from context 7 on 1\.0 ms and 6\.0 ms/);
  const near = outcome([{}, { difference: 3e-6, sameBits: false }], { kernels: ["candle", "candle"] });
  assert.match(verdict(near), /is 3\.0 × 10\^−6, at context 6\. At all 2 steps the same token/);
  assert.match(reason(near), /^Both paths stand for the same sums\. candle adds in another order/);
  const parting = outcome([{}, { difference: 0.2, sameBits: false, sameBest: false, best: [" a", " b"] }], { total: 9 });
  assert.match(verdict(parting), /^Stopped after 2 of 9\. .*Another token leads at 1 step, first at context 6 \( a and  b\)/);
  assert.match(verdict(outcome([], { total: 4 })), /nothing to compare/);
});

test("candle_gets_a_second_worker_where_it_cannot_hold_the_page's_weights_and_it_is_said", () => {
  assert.equal(candleHolding({ precision: "bf16", kvCache: "f32" }), null);
  assert.equal(candleNotice({ precision: "f32", kvCache: "f32" }, "batches run"), null);
  for (const precision of ["int8", "q4", "head=int8"])
    assert.deepEqual(candleHolding({ precision, kvCache: "f32" }), { precision: "f32", kvCache: "f32" });
  // Weights that it takes stay as they are.
  assert.deepEqual(candleHolding({ precision: "f16", kvCache: "f16" }), { precision: "f16", kvCache: "f32" });
  assert.match(candleNotice({ precision: "int8", kvCache: "f16" }, "batches run") ?? "", /INT8, KV cache F16.* batches run in a second worker \(weights F32/);
  assert.match(candleOutcome({ precision: "f32", kvCache: "f32" }), /second worker/);
});

test("two_kernels_are_compared_in_the_second_worker_and_the_cache_alone_on_the_page's", async () => {
  /** @type {unknown[]} */
  const held = [];
  const none = { contexts: [], differences: [], sameBits: [], mostDifferent: tokens(0), firstBest: tokens(0), secondBest: tokens(0), firstMs: [], secondMs: [], total: 0, promptLength: 1 };
  const tools = /** @type {any} */ ({
    placeOf: async (/** @type {unknown} */ holding) => (held.push(holding), { workerId: 1 }),
    calls: { ask: async () => ({ result: none }) },
    report() {},
    signal: new AbortController().signal,
  });
  const secondWorker = { precision: "f32", kvCache: "f32" };
  const wish = { kernel: "fused", simd: /** @type {const} */ ("baseline"), secondWorker, prompt: [1], continuation: { greedy: 1 }, allPositions: false };
  const kernels = await runCheck({ ...wish, kind: "kernel" }, tools);
  const cache = await runCheck({ ...wish, kind: "cache" }, tools);
  assert.deepEqual(held, [secondWorker, {}]);
  assert.deepEqual([kernels.secondWorker, cache.secondWorker], [secondWorker, null]);
});

test("a_link_and_the_state_know_of_an_uncached_run", async () => {
  const link = await fromFragment("#prompt=x&cache=off");
  assert.deepEqual([link.uncached, link.ignored], [true, []]);
  assert.deepEqual((await fromFragment("#cache=maybe")).ignored, ["cache=maybe"]);
  const opened = update(initialState, { type: "linkOpened", ...link });
  assert.equal(opened.uncached, true);
  assert.match(await toFragment(opened), /cache=off/);
  assert.doesNotMatch(await toFragment(initialState), /cache=/);
  const run = update(opened, { type: "runStarted", from: "prompt" });
  assert.equal(run.text?.uncached, true);
  const on = update(run, { type: "cacheChosen", uncached: false });
  assert.equal(update(on, { type: "runStarted", from: "end" }).text?.uncached, true, "some of it was made without");
  assert.equal(update(on, { type: "runStarted", from: "prompt" }).text?.uncached, false);
});

const use = {
  weightBytes: 4_000_000,
  fileCopyBytes: 0,
  secondKernelBytes: 0,
  kvUsedBytes: 40_960,
  kvReservedBytes: 262_144,
  activationBytes: 100_000,
  workspaceBytes: 50_000,
  wasmBytes: 20_000_000,
  otherBytes: 15_587_856,
  kvBytesPerPosition: 4096,
  kvNumberBytes: 4,
  positions: 10,
};

test("the_parts_of_memory_add_up_to_the_whole_and_stand_in_both_units", () => {
  const parts = partsOf(use);
  assert.equal(parts.reduce((sum, { bytes }) => sum + bytes, 0), use.wasmBytes);
  assert.deepEqual(parts.filter(({ counted }) => !counted).map(({ id }) => id), ["other"]);
  assert.equal(bothUnits(2 ** 20), "1.05 MB (1.00 MiB)");
  assert.equal(bothUnits(4096), "4.1 kB (4.0 KiB)");
  assert.equal(bothUnits(2 ** 33), "8.59 GB (8.00 GiB)");
});

test("the_projection_grows_with_positions_and_requests", () => {
  const points = projection(use, { context: 2048, batch: 3 });
  assert.deepEqual(points[0], { positions: 0, kvBytes: 0 });
  assert.deepEqual(points.at(-1), { positions: 2048, kvBytes: 2048 * 3 * 4096 });
});

test("the_budget_is_the_lessons_and_can_be_overrun", () => {
  assert.deepEqual(budgetSum(initialMemoryLab), { sum: 7.25, margin: 0.75, beside: 3.25 });
  assert.match(budgetSentence(initialMemoryLab), /7\.25 GiB.*margin of 0\.75 GiB.*leaves out 3\.25 GiB, 45 % of the sum/);
  assert.match(budgetSentence({ ...initialMemoryLab, device: 7 }), /0\.25 GiB more than there is/);
});
