/** What other panels have measured, as files: every row, with what was run. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { usualConfiguration } from "../../www/src/ab/configuration.js";
import { defaultControls } from "../../www/src/controls.js";
import { csv } from "../../www/src/records/csv.js";
import { labTables } from "../../www/src/records/tables.js";

const nothingRun = { ab: null, batchLab: null, precisionLab: null, cacheLab: null };
/** @param {Record<string, unknown>} states */
const tablesOf = (states) => labTables(/** @type {any} */ ({ ...nothingRun, ...states }));
/** @param {number} totalMs @param {boolean} [warmUp] */
const outcome = (totalMs, warmUp = false) => ({ warmUp, outputTokens: 4, prefillMs: 1, decodeMs: 2, totalMs, clockStepMs: 0.1 });

test("nothing_was_run_and_there_is_no_table", () => {
  assert.deepEqual(tablesOf({}), []);
});

test("the_benchmark_has_every_outcome_in_turns_with_warm_ups_marked_and_the_workload", () => {
  const configuration = { ...usualConfiguration, controls: { ...defaultControls, seed: 9 } };
  const benchmark = {
    of: [configuration, { ...configuration, kernel: "candle", cache: "off" }],
    prompt: "=Once",
    ids: [1, 2],
    plan: { newTokens: 4, warmUps: 1, repeats: 1, forced: true },
    outcomes: [
      [outcome(10, true), outcome(5)],
      [outcome(20, true), outcome(7)],
    ],
    summary: { ratios: new Float64Array([1.4]) },
    ownWorker: [false, true],
    complete: true,
  };
  const [{ table, whole, note }] = tablesOf({ ab: { benchmark } });
  /** @param {string} name */
  const column = (name) => table.rows.map((row) => row[table.columns.indexOf(name)]);
  assert.match(note, /4 runs, 2 of them warm-ups/);
  assert.deepEqual(column("side"), ["A", "B", "A", "B"]);
  assert.deepEqual(column("warm_up"), [true, true, false, false]);
  assert.deepEqual(column("pair"), [null, null, 1, 1]);
  assert.deepEqual(column("total_ms"), [10, 20, 5, 7]);
  assert.deepEqual(column("kernel"), ["fused", "candle", "fused", "candle"]);
  assert.deepEqual(column("kv_cache_used"), [true, false, true, false]);
  assert.deepEqual(column("seed"), [9, 9, 9, 9]);
  const text = csv(table.columns, table.rows);
  assert.equal(text.split("\r\n").length, 6);
  assert.ok(text.includes("\"'=Once\""), "a prompt that looks like a formula is none");
  const read = JSON.parse(JSON.stringify(whole));
  assert.deepEqual(read.workload, { prompt: "=Once", promptIds: [1, 2], newTokens: 4, warmUps: 1, repeats: 1, forced: true });
  assert.deepEqual(read.sides[1].outcomes.map((/** @type {any} */ { warmUp }) => warmUp), [true, false]);
  assert.deepEqual(read.summary.ratios, [1.4], "the engine's columns are lists");
});

test("a_refused_precision_keeps_its_row_and_says_why", () => {
  const rows = [{ name: "int4", note: null, figures: null, refused: "too wide" }];
  const table = { tokens: 5, kernel: "fused", prefillTokens: 4, decodeSteps: 2, repeats: 3, rows };
  const [made] = tablesOf({ precisionLab: { report: { table, title: "Tales", text: "Once", asked: 2 } } });
  assert.equal(made.table.rows[0].at(-1), "too wide");
  assert.ok(made.table.rows.every((row) => row.length === made.table.columns.length));
  assert.match(made.note, /1 of 2/);
});

test("a_batch_and_the_steps_of_two_paths_have_a_line_each", () => {
  const column = { ids: new Uint32Array([1, 2]), text: ["a", "b"], spoken: [], kind: [] };
  const request = { name: "Ada", seed: 1, promptTokens: column, newTokens: column, text: "ab", stopReason: "maxNewTokens", firstTokenMs: 1, latencyMs: 3, reversed: null };
  const alone = { run: { newIds: column.ids, text: "ab", firstDifference: null }, runMs: 2, latencyMs: 2, largestLogitDifference: 0, compared: 2 };
  const result = { requests: [{ ...request, alone }, { ...request, name: "Ben", alone: null }], layouts: [{ rows: [] }], order: new Uint32Array([1, 0]), newTokens: 4 };
  const row = { context: 3, difference: 0.5, sameBits: false, mostDifferent: "·a", best: ["·a", "·b"], sameBest: false, ms: [1, 2] };
  const cacheLab = { outcome: { kind: "kernel", names: ["on fused", "on candle"], rows: [row], total: 4 } };
  const [batch, cache] = tablesOf({ batchLab: { made: { of: {}, greedy: true, stopped: false, result } }, cacheLab });
  const same = batch.table.columns.indexOf("same_as_alone");
  assert.deepEqual(batch.table.rows.map((cells) => cells[same]), [true, null]);
  assert.deepEqual(JSON.parse(JSON.stringify(batch.whole)).order, [1, 0]);
  assert.deepEqual(cache.table.rows, [[3, 0.5, false, "·a", "·a", "·b", false, 1, 2]]);
  assert.ok(cache.table.columns.includes("step_ms on candle"));
});
