/** Records without a page: made from the state, checked strictly, compared, repeated, and written as tables and reports. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { groupsOf, groupWords, sorted } from "../../www/src/records/class-table.js";
import { csvCell, runsCsv, tokensCsv } from "../../www/src/records/csv.js";
import { changesBetween, checkSentence, divergenceSentence, expectation, nameOf } from "../../www/src/records/difference.js";
import { inline, markdownOf } from "../../www/src/records/markdown.js";
import { mostFileBytes, readRecords } from "../../www/src/records/read.js";
import { engineVersion, recordOf } from "../../www/src/records/record.js";
import { prospects, replayCall, resultOf, resultSentence } from "../../www/src/records/repeat.js";
import { notebookOf } from "../../www/src/records/report.js";
import { initialRecords, keptRecord, mostKept, withRecord, withTextsSoFar } from "../../www/src/records/state.js";
import { tokensPerSecond } from "../../www/src/records/words.js";
import { written } from "../../www/src/records/written.js";
import { withToken } from "../../www/src/text-edit.js";
import { prepared, replay, step, stepped, stopped } from "./recorded.mjs";
import { generated, run, sampleRecord, sampling } from "./records-fixture.mjs";

/** @import { Change, KeptRecord, RunRecord } from "../../www/src/records/types.js" */

const facts = { nowIso: "2026-01-02T03:04:05.000Z", userAgent: "Test", hardwareConcurrency: 2, build: "app-1" };

/** @param {unknown} value @returns {string} why it is refused */
const fault = (value) => {
  const answer = readRecords(JSON.stringify(value));
  assert.ok("fault" in answer, "it was taken");
  return answer.fault;
};

// ------------------------------------------------------------------------------------------------------------- making

test("the_record_of_a_run_has_the_settings_that_it_was_made_with_and_passes_its_own_schema", () => {
  const set = replay(prepared, { type: "controlsSet", values: { temperature: 0.5, topP: 0.9, order: ["topP", "temperature", "topK", "minP"] } });
  const made = generated(set, [" upon", " a"]);
  const moved = replay(made, { type: "controlsSet", values: { temperature: 2, seed: 1 } });
  const record = recordOf(moved, facts);
  assert.deepEqual(record.runs.map(({ sampling: { chain }, seed, first }) => [chain, seed, first]), [
    [[{ kind: "topP", value: 0.9 }, { kind: "temperature", value: 0.5 }], 42, 0],
  ]);
  assert.deepEqual([record.newIds, record.promptIds, record.text], [[7, 7], [7, 3], " upon a"]);
  assert.deepEqual([record.settings?.temperature, record.seed, record.stopReason], [0.5, 42, "maxNewTokens"]);
  assert.equal(record.runs[0].limits.maxNewTokens, 2, "single tokens that amount to one run have its limit");
  const answer = readRecords(written(record));
  // The test's model has no files and hardly a card; all else is whole.
  assert.ok("fault" in answer ? /card|files|model/.test(answer.fault) : answer.records.length === 1, JSON.stringify(answer));
  const { model: _model, ...rest } = record;
  const whole = readRecords(JSON.stringify({ ...rest, model: null }));
  assert.ok("records" in whole, JSON.stringify(whole));
});

test("a_text_of_several_runs_says_from_which_token_on_each_acted", () => {
  const first = generated(prepared, [" one", " two"]);
  const same = generated(first, [" three"], "end");
  assert.equal(recordOf(same, facts).runs.length, 1, "going on with nothing changed is the same run");
  const other = generated(replay(same, { type: "controlsSet", values: { seed: 9 } }), [" four"], "end");
  assert.deepEqual(
    recordOf(other, facts).runs.map(({ first, seed, limits }) => [first, seed, limits.maxNewTokens]),
    [
      [0, 42, 3],
      [3, 9, 1],
    ],
  );
});

test("a_token_put_in_by_hand_parts_the_runs_and_is_told", () => {
  const made = generated(prepared, [" one", " two", " three"]);
  const text = withToken(made, 1, { ...step(1, " other"), id: 3, byHand: true });
  const edited = replay(made, { type: "branchSent", text: { ...text, canContinue: true }, move: "edit" });
  const record = recordOf(generated({ ...edited, text: edited.text && { ...edited.text, unread: false } }, [" four"], "end"), facts);
  assert.deepEqual([record.newIds, record.byHand], [[7, 3, 7], [1]]);
  assert.deepEqual(record.runs.map(({ first }) => first), [0, 2]);
  assert.deepEqual(replayCall(record).forced, [{ index: 1, id: 3 }]);
});

test("settings_changed_at_full_speed_make_a_record_that_is_known_to_be_inexact", () => {
  let now = replay(prepared, { type: "runStarted", from: "prompt" });
  now = replay(now, stepped(now, " one"), { type: "controlsSet", values: { temperature: 3 } });
  now = replay(now, stepped(now, " two"), stopped(now));
  const record = recordOf(now, facts);
  assert.deepEqual(record.runs.map(({ first, exact }) => [first, exact]), [[0, true], [1, false]]);
  const { hindrances } = prospects({ ...sampleRecord(), runs: record.runs }, pageOf(sampleRecord()), here);
  assert.match(hindrances.join(), /changed while it ran at full speed/);
});

test("the_present_text_and_those_that_were_kept_are_recorded_when_the_panel_opens", () => {
  const one = generated(prepared, [" one"]);
  const two = generated(replay(one, { type: "clearSent" }, { type: "controlsSet", values: { seed: 2 } }), [" two", " more"]);
  const lab = withTextsSoFar(two, facts, initialRecords);
  assert.deepEqual(lab.records.map(({ number, record }) => [number, record.text, record.recordedAt]).slice(-1), [[lab.records.length, " two more", null]]);
});

test("the_oldest_records_make_room_and_it_is_told", () => {
  let lab = initialRecords;
  const state = generated(prepared, [" one"]);
  for (let serial = 1; serial <= mostKept + 3; serial += 1) {
    assert.ok(state.text);
    lab = withRecord(lab, { ...state.text, serial }, recordOf(state, facts));
  }
  assert.deepEqual([lab.records.length, lab.letGo, lab.records[0].number], [mostKept, 3, 4]);
});

test("the_engine_version_is_that_of_the_crate", () => {
  const cargo = readFileSync(new URL("../../Cargo.toml", import.meta.url), "utf8");
  assert.equal(/\[workspace\.package\]\s+version = "([^"]+)"/.exec(cargo)?.[1], engineVersion);
});

// ----------------------------------------------------------------------------------------------------------- checking

test("a_sound_record_and_a_list_of_such_are_read", () => {
  const answer = readRecords(written([sampleRecord(), sampleRecord({ prompt: "Twice" })]));
  assert.deepEqual(answer, { records: [sampleRecord(), sampleRecord({ prompt: "Twice" })] });
});

test("records_that_the_page_and_the_command_line_once_made_are_read_still", () => {
  const [answer, native] = ["page", "command-line"].map((name) =>
    readRecords(readFileSync(new URL(`../fixtures/record-${name}.json`, import.meta.url), "utf8")),
  );
  assert.ok("records" in native && native.records[0].newIds.length === 6, JSON.stringify(native));
  assert.ok("records" in answer, JSON.stringify(answer));
  assert.deepEqual([answer.records[0].byHand, answer.records[0].runs.map(({ first }) => first)], [[5], [0, 6]]);
});

test("what_is_no_record_is_refused_with_a_sentence_that_names_the_place", () => {
  const record = sampleRecord();
  assert.match(fault("text"), /no record of Logit Lab/);
  assert.match(fault(null), /no record of Logit Lab/);
  assert.match(fault([]), /no record in it/);
  assert.match(fault({ ...record, version: 2 }), /reads version 1 .* version 2/);
  assert.match(fault({ ...record, schema: "other" }), /schema/);
  assert.match(fault({ ...record, extra: 1 }), /does not know: "extra"/);
  assert.match(fault({ ...record, seed: "42" }), /record\.seed: a whole number .* a text was found/);
  assert.match(fault({ ...record, seed: 2 ** 32 }), /record\.seed/);
  assert.match(fault({ ...record, newIds: [5, -1, 7] }), /record\.newIds\[1\]/);
  assert.match(fault({ ...record, runs: [run({ seed: 0.5 })] }), /record\.runs\[0\]\.seed/);
  assert.match(fault({ ...record, byHand: [7] }), /record\.byHand/);
  assert.match(fault({ ...record, byHand: [1, 1] }), /record\.byHand/);
  assert.match(fault({ ...record, runs: [run({ first: 1 }), run()] }), /record\.runs/);
  assert.match(fault({ ...record, tokens: { ...record.tokens, shown: ["a"] } }), /record\.tokens/);
  assert.match(fault({ ...record, seed: 7 }), /record\.seed: that of the last run, 42,/);
  assert.match(fault({ ...record, promptIds: [] }), /record\.promptIds/);
  assert.match(fault({ ...record, prompt: undefined }), /record\.prompt is missing/);
  assert.match(fault([record, { ...record, text: 5 }]), /record 2\.text/);
  assert.match(fault({ ...record, prompt: "x".repeat(2_000_001) }), /record\.prompt: a text of at most/);
});

test("hostile_files_are_refused_and_change_nothing", () => {
  const polluting = written(sampleRecord()).replace("{", '{"__proto__": {"polluted": true}, ');
  const answer = readRecords(polluting);
  assert.ok("fault" in answer && /__proto__/.test(answer.fault));
  assert.equal(/** @type {any} */ ({}).polluted, undefined);
  assert.ok("fault" in readRecords("{"));
  assert.ok("fault" in readRecords(""));
  assert.ok("fault" in readRecords("[".repeat(200_000)));
  assert.ok("fault" in readRecords(" ".repeat(mostFileBytes + 1)));
  const many = readRecords(JSON.stringify(Array(501).fill(0)));
  assert.match("fault" in many ? many.fault : "", /At most 500 records/);
  assert.match(fault({ ...sampleRecord(), timingsMs: { ...sampleRecord().timingsMs, prefill: -1 } }), /prefill/);
  assert.match(fault({ ...sampleRecord(), ["x".repeat(500)]: 1 }), /"x{40}"/);
});

// ---------------------------------------------------------------------------------------------------------- comparing

/** @param {Change} change */
const asShown = (change) => [...Object.values(nameOf(change)), change.before, change.after];

test("what_changed_is_named_with_both_values_under_its_layer", () => {
  const before = sampleRecord();
  assert.deepEqual(changesBetween(before, sampleRecord()), []);
  /** @param {Partial<RunRecord>} change */
  const rows = (change) => changesBetween(before, sampleRecord(change)).map(asShown);
  assert.deepEqual(rows({ runs: [run({ seed: 7 })] }), [["Seed", "seed", "42", "7"]]);
  assert.deepEqual(rows({ runs: [run({ sampling: sampling({ chain: [{ kind: "temperature", value: 1.5 }, { kind: "topK", value: 40 }] }) })] }), [
    ["Sampling settings", "temperature", "0.8", "1.5"],
    ["Sampling settings", "top-k", "off", "40"],
  ]);
  assert.deepEqual(rows({ engine: { precision: "int8", kernel: "candle", simd: "relaxed", kvCache: "f16", cachePolicy: "recompute" } }).map(([layer]) => layer), [
    "Precision",
    "Kernel",
    "SIMD level",
    "KV cache",
    "KV cache",
  ]);
  assert.deepEqual(rows({ prompt: "Twice", promptIds: [1, 3] }).map((row) => row.slice(0, 2)), [["Prompt", "prompt"]]);
  assert.deepEqual(rows({ tokenizer: { sha256: "c".repeat(64), entries: 96 } })[0][0], "Tokenizer");
  assert.deepEqual(rows({ runs: [run({ limits: { maxNewTokens: 3, stop: ["\n"], ignoreEos: true, eosId: 0 } })] }).map((row) => row.slice(0, 2)), [
    ["Stop rules", "stop strings"],
    ["Stop rules", "going on after the end token"],
  ]);
});

test("what_an_earlier_run_of_the_text_was_made_with_counts_too", () => {
  const two = sampleRecord({ runs: [run({ seed: 1 }), run({ first: 2 })] });
  assert.deepEqual(changesBetween(sampleRecord(), two).map(asShown), [
    ["Sampling settings", "earlier runs of the text", "none", "1 run, up to new token 2"],
  ]);
  const finely = sampleRecord({ runs: [run({ sampling: sampling({ chain: [{ kind: "temperature", value: 0.800001 }] }) })] });
  assert.deepEqual(changesBetween(sampleRecord(), finely).map(({ before, after }) => [before, after]), [["0.8", "0.800001"]]);
});

test("the_order_of_the_chain_counts_only_for_steps_that_act_in_both", () => {
  const chain = [{ kind: /** @type {const} */ ("temperature"), value: 0.5 }, { kind: /** @type {const} */ ("topP"), value: 0.9 }];
  const one = sampleRecord({ runs: [run({ sampling: sampling({ chain }) })] });
  const other = sampleRecord({ runs: [run({ sampling: sampling({ chain: chain.toReversed() }) })] });
  assert.deepEqual(changesBetween(one, other), [
    { layer: "sampling", row: "order", before: "temperature, then top-p", after: "top-p, then temperature" },
  ]);
  assert.deepEqual(changesBetween(one, sampleRecord()).map(({ row }) => row), ["temperature", "topP"]);
});

test("nothing_changed_lets_expect_the_same_and_is_checked", () => {
  const one = sampleRecord();
  const { same, sentence } = expectation([], one, sampleRecord());
  assert.match(sentence, /Nothing was changed/);
  assert.equal(checkSentence(same, one, sampleRecord()), "Checked: it is so.");
  assert.match(checkSentence(same, one, sampleRecord({ newIds: [5, 9, 7] })), /it is not so/);
  const greedy = sampleRecord({ runs: [run({ sampling: sampling({ greedy: true }) })] });
  const seeded = sampleRecord({ runs: [run({ sampling: sampling({ greedy: true }), seed: 9 })] });
  assert.match(expectation(changesBetween(greedy, seeded), greedy, seeded).sentence, /Greedy decoding draws nothing/);
  assert.equal(expectation(changesBetween(one, sampleRecord({ runs: [run({ seed: 9 })] })), one, one).same, false);
});

test("the_first_divergence_has_its_index_and_both_tokens", () => {
  const other = sampleRecord({ newIds: [5, 9, 7], tokens: { .../** @type {any} */ (sampleRecord().tokens), shown: ["·upon", "·one", "·time"] } });
  assert.match(divergenceSentence(sampleRecord(), other), /new token 2 \(index 1\): before ·a \(id 6\), now ·one \(id 9\)/);
  assert.match(divergenceSentence(sampleRecord(), sampleRecord()), /no divergence: both texts have the same 3 tokens/);
  assert.match(divergenceSentence(sampleRecord(), sampleRecord({ newIds: [5, 6] })), /this run ended after 2 tokens/);
  assert.match(divergenceSentence(sampleRecord(), sampleRecord({ tokenizer: { sha256: null, entries: null } })), /cannot be lined up/);
});

// ---------------------------------------------------------------------------------------------------------- repeating

const here = { build: "app-123456789abc", engineVersion: "0.1.0" };
/** A page that holds the weights of a record. @param {RunRecord} record */
const pageOf = (record) =>
  /** @type {any} */ ({ activeWorkerId: 1, model: { ...record.model, id: "tales" }, catalogue: { hub: "", models: [] }, relaxedSimd: false });

test("a_record_of_the_page's_own_model_is_repeated_there", () => {
  const record = sampleRecord();
  const { hindrances, notes, holding } = prospects(record, pageOf(record), here);
  assert.deepEqual([hindrances, notes], [[], []]);
  assert.deepEqual(holding, { model: null, precision: "f32", kernel: "fused", simd: "baseline", kvCache: "f32" });
});

test("what_the_page_cannot_offer_is_said", () => {
  const record = sampleRecord();
  const page = pageOf(record);
  /** @param {Partial<RunRecord>} change */
  const said = (change, state = page) => prospects(sampleRecord(change), state, here).hindrances.join(" ");
  const engine = /** @type {NonNullable<RunRecord["engine"]>} */ (record.engine);
  assert.match(said({ engine: { ...engine, simd: "relaxed" } }), /relaxed SIMD, which this browser does not have/);
  assert.match(said({ padding: "left", rowOrder: [1, 0] }), /made in a batch/);
  assert.match(said({ newIds: [], tokens: null, runs: [] }), /nothing to repeat/);
  assert.match(said({ runs: [] }), /with which settings/);
  assert.match(said({ model: null }), /no digest/);
  assert.match(said({}, { ...page, model: null, activeWorkerId: null }), /No model is loaded/);
  const other = { .../** @type {any} */ (record.model), title: "Other", files: [{ name: "model.safetensors", bytes: 1, sha256: "d".repeat(64), check: null }] };
  assert.match(said({ model: other }), /weights \(Other, SHA-256 dddddddd…\) are neither/);
  const catalogue = { hub: "", models: [{ id: "other", files: { "model.safetensors": { bytes: 1, sha256: "d".repeat(64) } } }] };
  assert.equal(prospects(sampleRecord({ model: other }), { ...page, catalogue }, here).holding?.model, "other");
  const { notes } = prospects(sampleRecord({ page: { program: "page", build: "app-2", engineVersion: "0.1.0" } }), page, here);
  assert.match(notes.join(), /another build \(app-2; here app-123456789abc\)/);
});

test("the_call_has_every_run_and_stops_where_a_run_was_stopped_by_hand", () => {
  const record = sampleRecord({ stopReason: "user", runs: [run({ uniform: 0.5 }), run({ first: 1, limits: { maxNewTokens: 64, stop: ["x"], ignoreEos: true, eosId: null } })] });
  const { parts, ids, cache } = replayCall(record);
  assert.deepEqual([ids, cache], [[1, 2], true]);
  assert.equal(parts[0].settings.uniform, 0.5);
  assert.deepEqual(parts[1].limits, { maxNewTokens: 2, stop: ["x"], ignoreEos: true, eosId: null });
});

test("what_came_of_a_repeat_is_a_sentence", () => {
  /** @param {number[]} ids @param {any} [stopReason] @param {Partial<RunRecord>} [change] */
  const sentence = (ids, stopReason = "maxNewTokens", change = {}) => {
    const tokens = { ids: new Uint32Array(ids), text: ids.map((id) => `·${id}`), spoken: [], kind: [] };
    return resultSentence(resultOf(sampleRecord(change), { tokens, text: null, stopReason }, []));
  };
  assert.equal(sentence([5, 6, 7]), "No divergence: the same 3 tokens.");
  assert.match(sentence([5, 6, 7], "endToken"), /^No divergence.* It ended otherwise/);
  assert.match(sentence([5, 8, 7]), /^First divergence at new token 2 \(index 1\): in the record ·a \(id 6\), now ·8 \(id 8\)/);
  assert.match(sentence([5, 6], "endToken"), /ended sooner, before new token 3/);
  assert.match(sentence([5, 6, 7, 8]), /went on after the record's end/);
  assert.match(sentence([5, 6, 7], "maxNewTokens", { stopReason: "user" }), /no end of its own/);
  assert.match(sentence([5, 6, 7], "maxNewTokens", { byHand: [1] }), /1 of them put in by hand/);
});

// ------------------------------------------------------------------------------------------------- tables and reports

test("csv_cells_are_quoted_and_no_formula_gets_out", () => {
  assert.equal(csvCell('say "no",\nplease'), '"say ""no"",\nplease"');
  for (const text of ["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\r=1", "  =1", "＝1"]) assert.ok(csvCell(text).startsWith(`"'`), text);
  assert.equal(csvCell("a=b"), '"a=b"');
  assert.deepEqual([csvCell(-1.5), csvCell(null), csvCell(true)], ["-1.5", "", "true"]);
});

test("tables_of_runs_and_tokens_have_a_line_for_each_with_units_in_their_heads", () => {
  const kept = [keptRecord(1, sampleRecord({ text: '=HYPERLINK("x")' }), { file: "a.json" }), keptRecord(2, sampleRecord())];
  const lines = runsCsv(kept).split("\r\n");
  assert.equal(lines.length, 4);
  assert.match(lines[0], /"prefill_ms","decode_tokens_per_second"$/);
  assert.match(lines[1], /"'=HYPERLINK\(""x""\)"/);
  const tokens = tokensCsv(sampleRecord({ byHand: [1] })).split("\r\n");
  assert.deepEqual([tokens.length, tokens[2]], [5, '1,6,"·a",0.25,1,0.2,true,2,0.5']);
});

test("speed_is_that_of_the_tokens_after_the_first", () => {
  assert.equal(tokensPerSecond(sampleRecord()), 400);
  assert.equal(tokensPerSecond(sampleRecord({ tokens: null })), null);
  assert.equal(tokensPerSecond(sampleRecord({ newIds: [5], tokens: { shown: ["a"], probability: [1], rank: [0], uniform: [null], forwardMs: [3], samplingMs: [1] } })), null);
});

test("a_class_is_one_table_that_says_whose_texts_are_equal_and_sorts_by_any_column", () => {
  const files = ["ten.json", "nine.json", "two.json"].map((file, n) =>
    keptRecord(n + 1, sampleRecord({ newIds: n === 1 ? [5, 6, 9] : [5, 6, 7], runs: [run({ seed: [10, 9, 2][n] })], seed: [10, 9, 2][n] }), { file }),
  );
  const groups = groupsOf(files);
  assert.deepEqual(files.map((kept) => groupWords(groups.get(kept))), ["text 1, in 2 records", "text 2, alone", "text 1, in 2 records"]);
  /** @param {KeptRecord[]} list */
  const seeds = (list) => list.map(({ record }) => record.seed);
  assert.deepEqual(seeds(sorted(files, { column: "seed", descending: false }, groups)), [2, 9, 10]);
  assert.deepEqual(seeds(sorted(files, { column: "seed", descending: true }, groups)), [10, 9, 2]);
  assert.deepEqual(seeds(sorted(files, { column: "group", descending: false }, groups)), [10, 2, 9]);
  assert.deepEqual(seeds(sorted(files, { column: "file", descending: false }, groups)), [9, 10, 2]);
});

test("nothing_that_somebody_wrote_becomes_markup_in_the_report", () => {
  assert.equal(inline("a|b\n`c`<img src=x>"), "a\\|b ⏎ \\`c\\`&lt;img src\\=x&gt;");
  assert.equal(inline("[x](javascript:1) ![y](z)"), "\\[x\\]\\(javascript\\:1\\) \\!\\[y\\]\\(z\\)");
  assert.equal(inline("1. one\u202e\u0000"), "1\\. one");
  const report = markdownOf({
    title: "Lab",
    date: "2026-01-02",
    student: "# Ada | <b>",
    models: [{ title: "T", revision: null, files: sampleRecord().model?.files ?? [] }],
    records: [keptRecord(1, sampleRecord({ text: "|x|\n\n# no heading\n```", prompt: "---" }))],
    charts: [{ title: "A `chart`", svg: "<svg>é</svg>" }],
    notebook: { notes: "first\n\n# second", entries: [{ sheet: "s", step: "1", question: "Why | how?", prediction: "<b>", answer: null, correct: false }] },
  });
  const lines = report.split("\n");
  assert.deepEqual(
    lines.filter((line) => line.startsWith("#")),
    ["# Lab", "## Models", "## Records", "## Charts", "## Predictions and answers", "## Notes"],
  );
  assert.ok(!/<[a-z]/i.test(report) && !report.includes("```"), report);
  const cells = lines.filter((line) => line.startsWith("| 1 "))[0].split(/(?<!\\)\|/);
  assert.equal(cells.length, 12, "ten cells");
  assert.ok(report.includes("data:image/svg+xml;base64,"));
  assert.match(report, /\\# second/);
});

test("a_notebook_of_another_shape_is_left_out_piece_by_piece", () => {
  assert.equal(notebookOf(undefined), null);
  assert.equal(notebookOf("x"), null);
  assert.deepEqual(notebookOf({ notes: 5, entries: { a: null, b: { question: 7 }, c: { question: "q", correct: "yes" } } }), {
    notes: "",
    entries: [{ sheet: "", step: "", question: "q", prediction: null, answer: null, correct: null }],
  });
});
