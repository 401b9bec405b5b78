/** What is made of a student's own files, and what can be told of the model that they hold. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createCalls } from "../../www/src/engine-calls.js";
import { foreignTokenizerFault, tokenizerFit } from "../../www/src/models/checks.js";
import { loadModel } from "../../www/src/models/loader.js";
import { entryOfFiles } from "../../www/src/models/own-files.js";
import { ModelStore } from "../../www/src/models/store.js";
import { initialState, update } from "../../www/src/state.js";
import { fakeCaches, fakeEngine, Sha256, sha256 } from "./fakes.mjs";
import { from, model, replay, source } from "./recorded.mjs";

/** @import { CatalogueEntry, LoadedModel } from "../../www/src/messages.js" */

const content = { "config.json": "{}", "tokenizer.json": '{"model":{}}', "model.safetensors": "weights" };
const digest = (/** @type {string} */ text) => sha256(new TextEncoder().encode(text));
/** @type {CatalogueEntry} */
const entry = {
  id: "known",
  title: "Known",
  about: "",
  licence: "MIT",
  card: "",
  host: "models/known/",
  bundled: false,
  hub: { repository: "someone/known", revision: "abc" },
  files: Object.fromEntries(
    Object.entries(content).map(([name, text]) => [name, { bytes: text.length, sha256: digest(text) }]),
  ),
  prompts: [],
  selfTest: { weights: digest("weights"), ids: [1, 2], logits: [[3, 4]] },
};
const catalogue = { hub: "https://hub.example", models: [entry] };

/** @param {Record<string, string>} files */
const filesOf = (files) => Object.entries(files).map(([name, text]) => new File([text], name));

/**
 * @param {File[]} files
 * @param {CatalogueEntry} [wanted]
 */
async function load(files, wanted) {
  const { caches } = fakeCaches();
  const store = new ModelStore(caches, "https://page.example");
  const { engine, given, tested } = fakeEngine();
  const context = { engine, Sha256, signal: new AbortController().signal, report() {}, pause: async () => {}, store };
  const loaded = await loadModel({ kind: "files", files, entry: wanted }, {}, context);
  return { model: loaded, store, given, tested };
}

test("files_are_taken_for_a_published_model_by_all_their_names_and_lengths", () => {
  assert.equal(entryOfFiles(filesOf(content), catalogue), entry);
  assert.equal(entryOfFiles(filesOf({ ...content, "README.md": "more" }), catalogue), entry);
  assert.equal(entryOfFiles(filesOf({ ...content, "model.safetensors": "longer weights" }), catalogue), null);
  assert.equal(entryOfFiles(filesOf({ "config.json": "{}" }), catalogue), null);
  assert.equal(entryOfFiles(filesOf(content), null), null);
});

test("published_files_of_a_device_are_checked_kept_and_self_tested_like_a_download", async () => {
  const { model: loaded, store, tested } = await load(filesOf(content), entry);
  assert.deepEqual([loaded.id, loaded.title, loaded.origin, loaded.kept], ["known", "Known", "files", true]);
  assert.deepEqual(
    loaded.files.map(({ check }) => check),
    ["equal", "equal", "equal"],
  );
  assert.equal(await store.has(entry), true);
  assert.deepEqual(tested, [entry.selfTest]);
  assert.equal(loaded.selfTest?.passed, true);
});

test("files_that_only_look_published_are_a_model_of_ones_own_and_not_kept", async () => {
  const { model: loaded, store, given, tested } = await load(filesOf({ ...content, "model.safetensors": "WEIGHTS" }), entry);
  assert.deepEqual([loaded.id, loaded.title, loaded.kept], [null, "Files of this device", false]);
  assert.match(loaded.warnings.join(), /names and lengths of Known's, but their SHA-256 differs/);
  assert.equal(await store.has(entry), false);
  assert.equal(new TextDecoder().decode(given[0][2][0].bytes), "WEIGHTS");
  assert.deepEqual([tested, loaded.selfTest], [[], null]);
});

test("published_weights_with_another_configuration_are_not_self_tested", async () => {
  const { model: loaded, tested } = await load(filesOf({ ...content, "config.json": "[]" }), entry);
  assert.deepEqual([tested, loaded.selfTest], [[], null]);
});

test("a_small_file_of_many_megabytes_is_refused_before_the_engine_has_it", async () => {
  const long = new File([new Uint8Array(65 * 1024 * 1024)], "tokenizer.json");
  const files = [...filesOf({ "config.json": "{}", "model.safetensors": "weights" }), long];
  await assert.rejects(load(files), { code: "tokenizer" });
});

/**
 * @param {number | null} entries
 * @param {number} beyond
 * @param {number} rows
 * @param {Record<string, string>} [files]
 */
const loaded = (entries, beyond, rows, files = {}) =>
  /** @type {LoadedModel} */ ({
    ...model("mine"),
    origin: "files",
    card: { ...model("mine").card, tokenizerEntries: entries, tokenizerIdsBeyond: beyond, vocabSize: rows },
    files: Object.entries(files).map(([name, text]) => ({ name, bytes: text.length, sha256: digest(text), check: "unknown" })),
  });
/** @param {LoadedModel} of */
const verdict = (of) => tokenizerFit(of, catalogue).verdict;

test("sizes_can_disprove_that_a_tokenizer_belongs_and_only_digests_can_prove_it", () => {
  assert.equal(verdict(loaded(null, 0, 100)), "none");
  assert.equal(verdict(loaded(120, 20, 100)), "foreign");
  assert.equal(verdict(loaded(40, 0, 100)), "foreign");
  assert.equal(verdict(loaded(50_277, 0, 50_304)), "possible");
  assert.match(tokenizerFit(loaded(50_277, 0, 50_304), catalogue).sentence, /27 rows of 50,304 have no text.*no proof/);
  assert.equal(verdict(loaded(100, 0, 100, content)), "published");
  assert.equal(verdict(loaded(100, 0, 100, { ...content, "tokenizer.json": "other" })), "foreign");
  const known = tokenizerFit(loaded(100, 0, 100, { ...content, "model.safetensors": "other" }), catalogue);
  assert.equal(known.verdict, "possible");
  assert.match(known.sentence, /It is Known's, by its SHA-256/);
});

test("a_foreign_tokenizer_is_a_problem_of_own_files_only", () => {
  assert.equal(foreignTokenizerFault(loaded(40, 0, 100), catalogue)?.code, "foreignTokenizer");
  assert.equal(foreignTokenizerFault({ ...loaded(40, 0, 100), origin: "hub" }, catalogue), null);
});

const failing = { passed: false, tokens: 5, largestDifference: 7.5, tolerance: null };
const begun = replay(initialState, {
  type: "loadStarted",
  workerId: 1,
  entryId: "tales",
  title: "Tales",
  source,
  options: {},
  activate: "always",
});

test("a_model_that_is_computed_wrongly_waits_for_the_students_word", () => {
  const told = update(begun, from(1, { type: "loaded", loadId: 1, model: { ...model("Tales"), selfTest: failing } }));
  assert.equal(told.activeWorkerId, null);
  assert.deepEqual(
    told.problems.map(({ error, workerId }) => [error.code, workerId]),
    [["wrongResults", 1]],
  );
  const used = update(told, { type: "modelActivated", workerId: 1 });
  assert.deepEqual([used.activeWorkerId, used.model?.title], [1, "Tales"]);
  const passing = { ...failing, passed: true };
  const sound = update(begun, from(1, { type: "loaded", loadId: 1, model: { ...model("Tales"), selfTest: passing } }));
  assert.deepEqual([sound.activeWorkerId, sound.problems.length], [1, 0]);
});

test("a_script_gets_the_failed_self_test_as_its_error", async () => {
  /** @type {((message: any) => void)[]} */
  const listeners = [];
  const client = { listen: (/** @type {any} */ listener) => listeners.push(listener), send() {} };
  const calls = createCalls(/** @type {any} */ (client), () => ({ activeWorkerId: null, loads: [] }), () => {});
  const waiting = calls.loaded(1);
  for (const listener of listeners) {
    listener(from(1, { type: "loaded", loadId: 1, model: { ...model("Tales"), selfTest: failing } }));
  }
  await assert.rejects(waiting, { code: "wrongResults" });
});
