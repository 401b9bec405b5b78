/**
 * The lab sheets' contents: every step is well formed, every check accepts what is right and can fail. The engine's answers
 * come from a recording (tests/fixtures/sheet_facts.json, of Tales-2M, made by tests/browser/sheets.test.mjs).
 */
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { test } from "node:test";
import { sheetsMarkdown } from "../../scripts/sheets-doc.mjs";
import { emptyNotebook, entryKey, fromKept, toKept, withAnswer, withPrediction } from "../../www/src/notebook.js";
import { presets } from "../../www/src/presets.js";
import { answerWords, arranged, cameTrue, faultOf, parseNumber, verdictOn } from "../../www/src/sheets/checks.js";
import { sheets } from "../../www/src/sheets/index.js";
import { blocks, dividers } from "../../www/src/sheets/loop.js";
import { sheetNames } from "../../www/src/sheets/names.js";
import { doneSteps, factsOf, initialSheets, isDone, keysOf, predictionKey, progressOf } from "../../www/src/sheets/state.js";
import { initialState, update } from "../../www/src/state.js";
import { fromFragment, toFragment } from "../../www/src/url-state.js";
import { merged } from "../../www/src/words/language.js";

/** @import { Facts, Field, Sheet, SheetStep } from "../../www/src/sheets/types.js" */

/** @param {string} path */
const file = (path) => new URL(`../../${path}`, import.meta.url);
/** @type {Record<string, Facts>} */
const recorded = JSON.parse(await readFile(file("tests/fixtures/sheet_facts.json"), "utf8"));

const panels = ["ab", "example", "tree", "timing", "cache", "memory", "precision", "batch", "scores", "records"];
const steps = sheets.flatMap((sheet) => sheet.steps.map((step) => ({ sheet, step, at: `${sheet.name}/${step.id}` })));

/** @param {Sheet} sheet @param {SheetStep} step */
function factsFor(sheet, step) {
  if (!step.measure && !step.loop) return {};
  const facts = recorded[entryKey(sheet.name, step.id)];
  assert.ok(facts, `no recorded facts of ${sheet.name}/${step.id}`);
  return facts;
}

/** An answer that is not the right one. @param {Field} field @param {string | number} right @param {number} tolerance */
function otherThan(field, right, tolerance) {
  if (field.kind === "choice") return field.choices.find(([value]) => value !== right)?.[0] ?? "";
  return String(Number(right) + 2 * tolerance + Math.max(0.001, Math.abs(Number(right)) * 0.01));
}

test("the_names_of_links_are_those_of_the_sheets_and_each_has_four_to_eight_steps", () => {
  assert.deepEqual(sheets.map(({ name }) => name), sheetNames);
  assert.equal(new Set(sheets.map(({ title }) => title)).size, 15);
  for (const { name, steps, minutes } of sheets) {
    assert.ok(steps.length >= 4 && steps.length <= 8, `${name} has ${steps.length} steps`);
    assert.ok(minutes >= 10 && minutes <= 45);
    assert.equal(new Set(steps.map(({ id }) => id)).size, steps.length, name);
  }
});

test("every_step_asks_for_something_and_its_keys_can_be_kept", () => {
  const keys = steps.flatMap(({ sheet, step }) => keysOf(sheet, step));
  assert.equal(new Set(keys).size, keys.length);
  for (const { sheet, step, at } of steps) {
    assert.ok(keysOf(sheet, step).length > 0, at);
    assert.ok(step.title !== "" && step.text.length > 0 && step.text.every((text) => text !== ""), at);
  }
  const asked = { sheet: "s", step: "t", question: "q" };
  const all = keys.reduce((notebook, key) => withAnswer(notebook, key, asked, "a", true), emptyNotebook);
  assert.deepEqual(fromKept(toKept(all)), all);
});

test("every_checked_question_accepts_the_right_answer_and_refuses_another", () => {
  let checked = 0;
  for (const { sheet, step, at } of steps) {
    const facts = factsFor(sheet, step);
    for (const question of step.questions ?? []) {
      const { field, right, tolerance = 0, why, hint } = question;
      assert.ok(why(facts).length > 10, `${at}/${question.id} says why`);
      assert.equal(right === undefined, field.kind === "text", `${at}/${question.id}`);
      if (right === undefined) {
        assert.deepEqual(verdictOn(question, "words", facts), { right: null, words: why(facts) });
        continue;
      }
      const value = right(facts);
      if (field.kind === "choice") assert.ok(field.choices.some(([choice]) => choice === value), `${at}/${question.id}: ${value}`);
      else assert.ok(Number.isFinite(Number(value)), `${at}/${question.id}: ${value}`);
      assert.equal(verdictOn(question, String(value), facts).right, true, `${at}/${question.id} accepts ${value}`);
      const other = otherThan(field, value, tolerance);
      assert.deepEqual(verdictOn(question, other, facts), { right: false, words: hint }, `${at}/${question.id} refuses ${other}`);
      assert.ok(hint && hint !== "", `${at}/${question.id} has a hint`);
      checked += 1;
    }
  }
  assert.ok(checked > 90, `${checked} checked questions`);
});

test("every_prediction_has_an_outcome_in_words_and_can_come_true_or_not", () => {
  for (const { sheet, step, at } of steps) {
    const { predict } = step;
    if (!predict) continue;
    const facts = factsFor(sheet, step);
    const outcome = predict.outcome(facts);
    assert.ok(outcome.length > 5 && !/undefined|NaN|null/.test(outcome), `${at}: ${outcome}`);
    if (!predict.right) continue;
    const value = predict.right(facts);
    const words = answerWords(predict.field, String(value));
    assert.equal(cameTrue(predict, words, facts), true, `${at}: ${words}`);
    const other = answerWords(predict.field, otherThan(predict.field, value, predict.tolerance ?? 0));
    assert.equal(cameTrue(predict, other, facts), false, `${at}: ${other}`);
  }
});

test("what_is_shown_of_the_engine_has_words_for_every_figure", () => {
  for (const { sheet, step, at } of steps) {
    const lines = step.shows?.(factsFor(sheet, step)) ?? [];
    for (const line of lines) assert.ok(!/undefined|NaN|\[object/.test(line), `${at}: ${line}`);
  }
});

test("the_buttons_of_a_step_set_what_there_is", () => {
  const all = [...blocks.map(({ name }) => name), ...Object.keys(dividers)].sort();
  for (const { step, at } of steps) {
    for (const { panel, preset, program, said, label } of step.sets ?? []) {
      assert.ok(label !== "" && said !== "", at);
      if (panel) assert.ok(panels.includes(panel), `${at}: ${panel}`);
      if (preset) assert.ok(presets.some(({ id }) => id === preset), `${at}: ${preset}`);
      if (program) assert.deepEqual([...program].sort(), all, at);
    }
  }
});

test("the_right_choice_has_no_usual_place", () => {
  let [first, all] = [0, 0];
  for (const { sheet, step } of steps) {
    const facts = factsFor(sheet, step);
    for (const { id, field, right } of step.questions ?? []) {
      if (field.kind !== "choice" || field.ordered || !right) continue;
      const key = entryKey(sheet.name, step.id, id);
      assert.deepEqual(arranged(field, key), arranged(field, key));
      assert.deepEqual([...arranged(field, key)].sort(), [...field.choices].sort());
      all += 1;
      if (arranged(field, key)[0][0] === right(facts)) first += 1;
    }
  }
  assert.ok(first > 0.2 * all && first < 0.6 * all, `${first} of ${all} right choices come first`);
});

test("numbers_are_read_as_people_write_them", () => {
  const cases = { "0.5": 0.5, "0,5": 0.5, "8/15": 8 / 15, "53 %": 0.53, "4,096": 4096, "1 048 576": 1048576, "−3": -3, " 7 ": 7 };
  for (const [text, value] of Object.entries(cases)) assert.equal(parseNumber(text), value, text);
  for (const text of ["", "x", "1/2/3", "%", "1e", "Infinity", "0x", "1,2,3", "8/"]) {
    assert.ok(Number.isNaN(parseNumber(text)), text);
  }
  assert.match(faultOf({ kind: "number" }, "many") ?? "", /number/);
  assert.equal(faultOf({ kind: "number" }, "12"), null);
  assert.match(faultOf({ kind: "choice", choices: [] }, undefined) ?? "", /Choose/);
  assert.equal(answerWords({ kind: "number", unit: { one: "call", other: "calls" } }, "1"), "1 call");
});

test("an_overlay_of_one_question_replaces_only_that", () => {
  const sheet = sheets.find(({ name }) => name === "cache");
  assert.ok(sheet);
  const step = sheet.steps.find(({ questions }) => questions?.some(({ field }) => field.kind === "choice" && field.choices.length > 2));
  assert.ok(step?.questions);
  const question = step.questions.find(({ field }) => field.kind === "choice");
  assert.ok(question?.field.kind === "choice");
  const [[value], ...others] = question.field.choices;
  const overlay = {
    steps: [
      {
        id: step.id,
        questions: [{ id: question.id, question: "Frage?", field: { choices: [[value, "Antwort"]] }, why: () => "Darum." }],
      },
    ],
  };
  const translated = merged(sheet, overlay);
  const asked = translated.steps.flatMap(({ questions }) => questions ?? []).find(({ question }) => question === "Frage?");
  assert.ok(asked);
  assert.deepEqual([asked.why({}), asked.hint, asked.right], ["Darum.", question.hint, question.right]);
  assert.deepEqual(asked.field, { ...question.field, choices: [[value, "Antwort"], ...others] });
  // With the English question put back it is the English sheet, its functions included.
  const back = { ...translated, steps: translated.steps.map((each) => ({ ...each, ...(each.questions && { questions: each.questions.map((one) => (one === asked ? question : one)) }) })) };
  assert.deepEqual(back, sheet);
});

test("buttons_of_a_step_and_choices_of_a_field_have_names_of_their_own_for_translations", () => {
  for (const { step, at } of steps) {
    const fields = [step.predict, ...(step.questions ?? [])].flatMap((asked) => (asked?.field.kind === "choice" ? [asked.field.choices.map(([value]) => value)] : []));
    for (const names of [(step.sets ?? []).map(({ id }) => id), ...fields]) {
      assert.equal(new Set(names).size, names.length, `${at}: ${names}`);
      assert.ok(names.every((name) => name !== ""), at);
    }
  }
});

test("progress_is_told_in_words_and_counts_what_is_done", () => {
  const [sheet] = sheets.filter(({ name }) => name === "prefill-decode");
  const [step] = sheet.steps;
  const asked = { sheet: sheet.title, step: step.title, question: "q" };
  assert.equal(progressOf(emptyNotebook, sheet), "not begun");
  const predicted = withPrediction(emptyNotebook, predictionKey(sheet, step), asked, "7 calls");
  assert.equal(progressOf(predicted, sheet), "0 of 5 steps done");
  const seen = withAnswer(predicted, predictionKey(sheet, step), asked, "8 calls", false);
  const wrong = withAnswer(seen, entryKey(sheet.name, step.id, "first"), asked, "next", false);
  assert.equal(isDone(wrong, sheet, step), false, "a wrong answer is not the end of it");
  const done = withAnswer(wrong, entryKey(sheet.name, step.id, "first"), asked, "prefill", true);
  assert.equal(doneSteps(done, sheet), 1);
  assert.equal(progressOf(done, sheet), "1 of 5 steps done");
  const all = sheet.steps
    .flatMap((each) => keysOf(sheet, each))
    .reduce((notebook, key) => withAnswer(withPrediction(notebook, key, asked, "p"), key, asked, "a", true), emptyNotebook);
  assert.equal(progressOf(all, sheet), "all steps done");
});

test("facts_of_another_model_count_no_more", () => {
  const [sheet] = sheets;
  const step = sheet.steps[1];
  const model = (/** @type {string} */ sha256) => /** @type {any} */ ({ files: [{ sha256 }], card: {} });
  const known = { model: ["one", "", "", "", ""].join(), values: { rows: 1 } };
  const state = { ...initialSheets, facts: { [entryKey(sheet.name, step.id)]: known } };
  assert.deepEqual(factsOf(state, sheet, step, model("one")), { rows: 1 });
  assert.equal(factsOf(state, sheet, step, model("two")), null);
  assert.deepEqual(factsOf(initialSheets, sheet, sheet.steps[0], null), {}, "a step that asks nothing knows all");
});

test("a_link_opens_a_sheet_and_an_unknown_name_is_named", async () => {
  const link = await fromFragment("#prompt=Hi&sheet=loop");
  assert.deepEqual([link.sheet, link.ignored], ["loop", []]);
  const unknown = await fromFragment("#sheet=nowhere");
  assert.deepEqual([unknown.sheet, unknown.ignored], [undefined, ["sheet=nowhere"]]);
  const opened = update(initialState, { type: "linkOpened", ...link });
  assert.equal(opened.sheet, "loop");
  assert.match(await toFragment(opened), /&sheet=loop$/);
  assert.equal(update(opened, { type: "linkOpened", ...(await fromFragment("#prompt=Ho")) }).sheet, "loop");
  const list = update(opened, { type: "sheetShown", name: "" });
  assert.doesNotMatch(await toFragment(list), /sheet/);
});

test("code_of_the_sheets_that_did_not_come_is_asked_for_again_when_they_are_opened_again", () => {
  const failed = update(initialState, { type: "panelCodeChanged", name: "sheets", code: "failed" });
  assert.equal(update(failed, { type: "sheetShown", name: "" }).panelCode.sheets, undefined);
  const ready = update(initialState, { type: "panelCodeChanged", name: "sheets", code: "ready" });
  assert.equal(update(ready, { type: "sheetShown", name: "" }).panelCode.sheets, "ready");
});

test("docs_teachers_md_names_every_sheet_with_its_minutes_and_link", async () => {
  const guide = await readFile(file("docs/teachers.md"), "utf8");
  for (const [n, { name, title, minutes }] of sheets.entries()) {
    const row = guide.split("\n").find((line) => line.startsWith(`| ${n + 1}. ${title} |`)) ?? "";
    assert.ok(row.endsWith(`| ${minutes} | \`#sheet=${name}\` |`), `${title}: ${row}`);
  }
});

test("docs_sheets_md_is_what_the_page_shows", async () => {
  const written = sheetsMarkdown(sheets);
  if (process.env.LOGIT_LAB_UPDATE) await writeFile(file("docs/sheets.md"), written);
  const kept = await readFile(file("docs/sheets.md"), "utf8");
  assert.equal(kept, written, "docs/sheets.md is stale: LOGIT_LAB_UPDATE=1 node --test tests/web/sheets.test.mjs");
});
