/** The notebook: its changes, what of a kept one is taken, and keeping it in browsers that will not. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { eraseNotebook, keepNotebook, notebookItem, troubles, unreadableItem } from "../../www/src/notebook-keeping.js";
import {
  emptyNotebook,
  entryKey,
  fromKept,
  merged,
  toKept,
  withAnswer,
  withNotes,
  withPrediction,
} from "../../www/src/notebook.js";
import { initialState, update } from "../../www/src/state.js";
import { createStore } from "../../www/src/store.js";

const asked = { sheet: "Prefill and decode", step: "Count the calls", question: "How many calls?" };
const key = entryKey("prefill-decode", "count");
const predicted = withPrediction(emptyNotebook, key, asked, "7");
const written = withNotes(withAnswer(predicted, key, asked, "8", true), "A note.\n");

/** What a browser keeps, for any number of tabs. @param {Record<string, string>} [items] */
function shelf(items = {}) {
  const kept = new Map(Object.entries(items));
  /** @type {((key: string | null) => void)[]} */
  const tabs = [];
  const open = () => {
    const tell = (/** @type {string} */ item, /** @type {number} */ from) =>
      tabs.forEach((listener, tab) => tab !== from && listener(item));
    const own = tabs.length;
    return {
      storage: () => ({
        getItem: (/** @type {string} */ item) => kept.get(item) ?? null,
        setItem(/** @type {string} */ item, /** @type {string} */ text) {
          kept.set(item, text);
          tell(item, own);
        },
        removeItem(/** @type {string} */ item) {
          kept.delete(item);
          tell(item, own);
        },
      }),
      onChangeElsewhere(/** @type {(key: string | null) => void} */ listener) {
      tabs[own] = listener;
    },
    };
  };
  return { kept, open };
}

/** A tab whose notebook is kept. @param {ReturnType<ReturnType<typeof shelf>["open"]>} browser */
function tab(browser) {
  const store = createStore(initialState, update, () => {});
  keepNotebook(store, browser);
  const set = (/** @type {import("../../www/src/lab-types.js").Notebook} */ value) =>
    store.dispatch({ type: "labChanged", name: "notebook", value });
  return { ...store, set, browser, notebook: () => store.getState().notebook };
}

test("a_committed_prediction_never_changes_and_stands_beside_the_answer", () => {
  assert.equal(withPrediction(predicted, key, asked, "8"), predicted);
  const answered = withAnswer(predicted, key, asked, "8", true);
  assert.deepEqual(answered.entries[key], { ...asked, prediction: "7", answer: "8", correct: true });
  assert.equal(withPrediction(answered, key, asked, "9").entries[key].prediction, "7");
  assert.equal(predicted.entries[key].answer, null);
});

test("a_kept_notebook_comes_back_as_it_was", () => {
  assert.deepEqual(fromKept(toKept(written)), written);
});

test("what_this_page_did_not_write_is_not_taken", () => {
  const entry = { ...asked, prediction: null, answer: null, correct: null };
  const whole = { version: 1, notes: "", entries: { "a/b": entry } };
  assert.notEqual(fromKept(JSON.stringify(whole)), null);
  const hostile = [
    "",
    "{",
    "null",
    "[]",
    '"text"',
    JSON.stringify({ ...whole, version: 2 }),
    JSON.stringify({ ...whole, notes: 7 }),
    JSON.stringify({ ...whole, notes: "n".repeat(200_001) }),
    JSON.stringify({ ...whole, entries: [] }),
    JSON.stringify({ ...whole, extra: true }),
    JSON.stringify({ ...whole, entries: { "a/b": { ...entry, correct: "yes" } } }),
    JSON.stringify({ ...whole, entries: { "a/b": { ...entry, prediction: 7 } } }),
    JSON.stringify({ ...whole, entries: { "a/b": { ...entry, more: 1 } } }),
    JSON.stringify({ ...whole, entries: { "a/b": null } }),
    JSON.stringify({ ...whole, entries: { "a b": entry } }),
    JSON.stringify({ ...whole, entries: { constructor: entry } }),
    '{"version":1,"notes":"","entries":{"__proto__":{}}}',
    "x".repeat(4_000_001),
  ];
  for (const kept of hostile) assert.equal(fromKept(kept), null, kept.slice(0, 80));
  assert.equal(/** @type {any} */ ({}).sheet, undefined);
});

test("a_notebook_survives_a_reload_and_an_erasure_is_for_good", () => {
  const { kept, open } = shelf();
  const first = tab(open());
  assert.equal(kept.size, 0);
  first.set(written);
  assert.deepEqual(tab(open()).notebook(), written);
  eraseNotebook(first, first.browser);
  assert.deepEqual(first.notebook(), emptyNotebook);
  assert.equal(kept.has(notebookItem), false);
  assert.deepEqual(tab(open()).notebook(), emptyNotebook);
});

test("two_tabs_lose_nothing_of_what_is_typed_in_either", () => {
  const { open } = shelf();
  const [one, two] = [tab(open()), tab(open())];
  one.set(withNotes(one.notebook(), "From the first."));
  assert.equal(two.notebook().notes, "From the first.");
  two.set(withPrediction(two.notebook(), key, asked, "7"));
  assert.equal(one.notebook().entries[key].prediction, "7");
  one.set(withAnswer(one.notebook(), key, asked, "8", true));
  assert.deepEqual(two.notebook(), one.notebook());
  assert.equal(two.notebook().entries[key].prediction, "7");
});

test("a_tab_that_slept_merges_before_it_writes", () => {
  const { kept, open } = shelf();
  const awake = tab(open());
  const deaf = { ...open(), onChangeElsewhere: () => {} };
  const asleep = tab(deaf);
  awake.set(withNotes(awake.notebook(), "shared\nfrom the one awake"));
  asleep.set(withNotes(asleep.notebook(), "shared\nfrom the sleeper"));
  assert.equal(asleep.notebook().notes, "shared\nfrom the one awake\nfrom the sleeper");
  assert.deepEqual(fromKept(kept.get(notebookItem) ?? ""), asleep.notebook());
  assert.deepEqual(awake.notebook(), asleep.notebook());
});

test("of_two_predictions_the_one_kept_first_counts_and_an_erasure_elsewhere_spares_new_words", () => {
  const ours = withAnswer(withPrediction(emptyNotebook, key, asked, "ours"), key, asked, "8", true);
  const theirs = withPrediction(emptyNotebook, key, asked, "theirs");
  assert.deepEqual(merged(emptyNotebook, ours, theirs).entries[key], { ...ours.entries[key], prediction: "theirs" });
  assert.deepEqual(merged(written, written, emptyNotebook), emptyNotebook);
  const newer = withNotes(written, "A note.\nAnother.");
  assert.equal(merged(written, newer, emptyNotebook).notes, "A note.\nAnother.");
});

test("a_browser_that_refuses_costs_the_keeping_alone_and_it_is_told_once", () => {
  const denied = () => {
    throw new DOMException("denied", "SecurityError");
  };
  const page = tab({ storage: denied, onChangeElsewhere: () => {} });
  assert.equal(page.getState().notebookTrouble, troubles.none);
  const { count } = page.getState().announcement;
  page.set(written);
  assert.deepEqual(page.notebook(), written);
  assert.equal(page.getState().announcement.count, count);
  eraseNotebook(page, page.browser);
  assert.deepEqual(page.notebook(), emptyNotebook);
});

test("a_browser_that_is_full_says_so_until_it_keeps_again", () => {
  const { kept, open } = shelf();
  const browser = open();
  let full = false;
  const page = tab({
    ...browser,
    storage: () => ({
      ...browser.storage(),
      setItem(item, text) {
        if (full) throw new DOMException("full", "QuotaExceededError");
        browser.storage().setItem(item, text);
      },
    }),
  });
  assert.equal(page.getState().notebookTrouble, null);
  full = true;
  page.set(written);
  assert.equal(page.getState().notebookTrouble, troubles.full);
  full = false;
  page.set(withNotes(written, "More."));
  assert.equal(page.getState().notebookTrouble, null);
  assert.equal(fromKept(kept.get(notebookItem) ?? "")?.notes, "More.");
});

test("what_cannot_be_read_is_put_aside_and_told_and_the_page_goes_on", () => {
  const { kept, open } = shelf({ [notebookItem]: "{broken" });
  const page = tab(open());
  assert.equal(page.getState().notebookTrouble, troubles.unreadable);
  assert.deepEqual(page.notebook(), emptyNotebook);
  assert.equal(kept.get(unreadableItem), "{broken");
  page.set(written);
  assert.deepEqual(fromKept(kept.get(notebookItem) ?? ""), written);
  assert.equal(page.getState().notebookTrouble, troubles.unreadable);
});
