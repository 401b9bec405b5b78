/** What other panels have measured, as tables that can be taken away: columns and rows for CSV, and all of it for JSON. */

import { words } from "../words/records.js";
import { engineVersion } from "./record.js";

/** @import { State } from "../page-types.js" */
/** @import { Benchmark } from "../ab/types.js" */
/** @import { MadeBatch } from "../batch/types.js" */
/** @import { CheckOutcome } from "../cache-lab/types.js" */
/** @import { PrecisionLab } from "../lab-types.js" */
/** @import { MeasuredSpeed } from "../protocol.js" */
/** @import { Cell } from "./csv.js" */

/**
 * @typedef {object} LabTable
 * @property {string} name of its file, without the ending
 * @property {string} label
 * @property {string} note what a row is
 * @property {{ columns: string[], rows: Cell[][] }} table
 * @property {unknown} whole what the JSON file holds
 */

/** Those that there are. @param {Pick<State, "ab" | "batchLab" | "precisionLab" | "cacheLab">} state @returns {LabTable[]} */
export function labTables({ ab, batchLab, precisionLab, cacheLab }) {
  return [
    ab?.benchmark ? benchmarkTable(ab.benchmark) : null,
    batchLab?.made ? batchTable(batchLab.made) : null,
    precisionLab?.report ? precisionTable(precisionLab.report) : null,
    cacheLab?.outcome ? cacheTable(cacheLab.outcome) : null,
  ].filter((table) => table !== null);
}

/** Columns by name, and the value of each for a row. @template R
 * @param {[string, (row: R) => Cell][]} columns @param {R[]} rows
 */
const tabled = (columns, rows) => ({
  columns: columns.map(([name]) => name),
  rows: rows.map((row) => columns.map(([, cell]) => cell(row))),
});

/** The engine's columns as lists, for JSON. @param {unknown} value @returns {unknown} */
function plain(value) {
  if (ArrayBuffer.isView(value)) return Array.from(/** @type {Float64Array} */ (value));
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, plain(part)]));
}

/** @param {string} kind @param {Record<string, unknown>} values */
const wholeOf = (kind, values) => ({ kind: `logit-lab-${kind}`, engineVersion, .../** @type {object} */ (plain(values)) });

const sides = /** @type {const} */ (["A", "B"]);

/** @param {Benchmark} benchmark @returns {LabTable} */
function benchmarkTable({ of, prompt, ids, plan, outcomes, summary, ownWorker, complete }) {
  const runs = outcomes[0].flatMap((_, n) =>
    /** @type {const} */ ([0, 1]).map((side) => ({ n, side, outcome: outcomes[side][n], configuration: of[side] })),
  );
  const warmUps = runs.filter(({ outcome }) => outcome.warmUp).length;
  return {
    name: "logit-lab-benchmark",
    label: words.tables.benchmark,
    note: words.tables.benchmarkNote(runs.length, warmUps, complete),
    table: tabled(
      [
        ["run", ({ n, side }) => 2 * n + side + 1],
        ["warm_up", ({ outcome }) => outcome.warmUp],
        ["pair", ({ n, outcome }) => (outcome.warmUp ? null : n - plan.warmUps + 1)],
        ["side", ({ side }) => sides[side]],
        ["prefill_ms", ({ outcome }) => outcome.prefillMs],
        ["decode_ms", ({ outcome }) => outcome.decodeMs],
        ["total_ms", ({ outcome }) => outcome.totalMs],
        ["output_tokens", ({ outcome }) => outcome.outputTokens],
        ["clock_step_ms", ({ outcome }) => outcome.clockStepMs],
        ["prompt_tokens", () => ids.length],
        ["output_tokens_wanted", () => plan.newTokens],
        ["length_forced", () => plan.forced],
        ["model", ({ configuration }) => configuration.model ?? words.tables.ownModel],
        ["precision", ({ configuration }) => configuration.precision],
        ["kv_cache", ({ configuration }) => configuration.kvCache],
        ["kv_cache_used", ({ configuration }) => configuration.cache === "on"],
        ["kernel", ({ configuration }) => configuration.kernel],
        ["simd", ({ configuration }) => configuration.simd],
        ["seed", ({ configuration }) => configuration.controls.seed],
        ["second_worker", ({ side }) => ownWorker[side]],
        ["prompt", () => prompt],
      ],
      runs,
    ),
    whole: wholeOf("benchmark", {
      complete,
      workload: { prompt, promptIds: ids, ...plan },
      sides: sides.map((name, side) => ({
        name,
        configuration: of[side],
        secondWorker: ownWorker[side],
        outcomes: outcomes[side],
      })),
      summary,
    }),
  };
}

/** @param {MadeBatch} made @returns {LabTable} */
function batchTable({ of, greedy, stopped, result }) {
  const { layouts: _drawn, ...figures } = result;
  return {
    name: "logit-lab-batch",
    label: words.tables.batch,
    note: words.tables.batchNote(result.requests.length, stopped),
    table: tabled(
      [
        ["request", ({ name }) => name],
        ["seed", ({ seed }) => seed],
        ["prompt_tokens", ({ promptTokens }) => promptTokens.ids.length],
        ["new_tokens", ({ newTokens }) => newTokens.ids.length],
        ["text", ({ text }) => text],
        ["stop_reason", ({ stopReason }) => stopReason],
        ["first_token_ms", ({ firstTokenMs }) => firstTokenMs],
        ["latency_ms", ({ latencyMs }) => latencyMs],
        ["alone_run_ms", ({ alone }) => alone?.runMs ?? null],
        ["alone_in_turn_latency_ms", ({ alone }) => alone?.latencyMs ?? null],
        ["same_as_alone", ({ alone }) => (alone ? alone.run.firstDifference === null : null)],
        ["first_difference_index", ({ alone }) => alone?.run.firstDifference ?? null],
        ["largest_logit_difference", ({ alone }) => alone?.largestLogitDifference ?? null],
        ["positions_compared", ({ alone }) => alone?.compared ?? null],
        ["same_in_opposite_order", ({ reversed }) => (reversed ? reversed.firstDifference === null : null)],
      ],
      result.requests,
    ),
    whole: wholeOf("batch", { stopped, greedy, setup: of, ...figures }),
  };
}

/** @param {NonNullable<PrecisionLab["report"]>} report @returns {LabTable} */
function precisionTable({ table, title, text, asked }) {
  /** @param {"prefillTokensPerSecond" | "decodeTokensPerSecond"} speed @param {keyof MeasuredSpeed} part */
  const speed = (speed, part) => (/** @type {(typeof table.rows)[number]} */ { figures }) => figures?.[speed]?.[part] ?? null;
  return {
    name: "logit-lab-precision",
    label: words.tables.precision,
    note: words.tables.precisionNote(table.rows.length, asked, title),
    table: tabled(
      [
        ["precision", ({ name }) => name],
        ["model", () => title],
        ["kernel", () => table.kernel],
        ["text_tokens", () => table.tokens],
        ["weight_bytes", ({ figures }) => figures?.weightBytes ?? null],
        ["scale_bytes", ({ figures }) => figures?.scaleBytes ?? null],
        ["kv_token_bytes", ({ figures }) => figures?.kvTokenBytes ?? null],
        ["largest_logit_error", ({ figures }) => figures?.largestLogitError ?? null],
        ["rms_logit_error", ({ figures }) => figures?.rmsLogitError ?? null],
        ["kl_divergence_nats", ({ figures }) => figures?.klDivergenceNats ?? null],
        ["top_1_agreement", ({ figures }) => figures?.top1Agreement ?? null],
        ["perplexity", ({ figures }) => figures?.perplexity ?? null],
        ["prefill_tokens_per_second_median", speed("prefillTokensPerSecond", "median")],
        ["prefill_tokens_per_second_lowest", speed("prefillTokensPerSecond", "lowest")],
        ["prefill_tokens_per_second_highest", speed("prefillTokensPerSecond", "highest")],
        ["decode_tokens_per_second_median", speed("decodeTokensPerSecond", "median")],
        ["decode_tokens_per_second_lowest", speed("decodeTokensPerSecond", "lowest")],
        ["decode_tokens_per_second_highest", speed("decodeTokensPerSecond", "highest")],
        ["note", ({ note }) => note],
        ["not_compared", ({ refused }) => refused],
      ],
      table.rows,
    ),
    whole: wholeOf("precision", { model: title, text, rowsWanted: asked, ...table }),
  };
}

/** @param {CheckOutcome} outcome @returns {LabTable} */
function cacheTable(outcome) {
  const { rows, names, total } = outcome;
  return {
    name: "logit-lab-cache",
    label: words.tables.cache(names),
    note: words.tables.cacheNote(rows.length, total),
    table: tabled(
      [
        ["positions_read", ({ context }) => context],
        ["largest_logit_difference", ({ difference }) => difference],
        ["same_bits", ({ sameBits }) => sameBits],
        ["most_different_token", ({ mostDifferent }) => mostDifferent],
        [`likeliest_token ${names[0]}`, ({ best }) => best[0]],
        [`likeliest_token ${names[1]}`, ({ best }) => best[1]],
        ["same_likeliest_token", ({ sameBest }) => sameBest],
        [`step_ms ${names[0]}`, ({ ms }) => ms[0]],
        [`step_ms ${names[1]}`, ({ ms }) => ms[1]],
      ],
      rows,
    ),
    whole: wholeOf("cache", { ...outcome }),
  };
}
