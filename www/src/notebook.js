/**
 * The student's notebook as values: notes, and what was predicted and answered in the lab sheets. A prediction is committed
 * once and never changes. `notebook-keeping.js` keeps it in the browser.
 */

/** @import { Notebook, NotebookEntry } from "./lab-types.js" */

/** Which question of which sheet, in the words that the student saw. @typedef {Pick<NotebookEntry, "sheet" | "step" | "question">} Asked */

/** @type {Notebook} */
export const emptyNotebook = { notes: "", entries: {} };

const longestNotes = 200_000;
const longestText = 4_000;
const mostEntries = 2_000;
/** Of what is kept as a whole: more was not written by this page. */
const longestKept = 4_000_000;
const version = 1;

/** Where the entry of a question stands. @param {string} sheet @param {string} step @param {string} [question] */
export const entryKey = (sheet, step, question) => [sheet, step, ...(question ? [question] : [])].join("/");

/** @param {Notebook} notebook */
export const isEmpty = ({ notes, entries }) => notes === "" && Object.keys(entries).length === 0;

/** @param {Notebook} notebook @param {string} notes @returns {Notebook} */
export function withNotes(notebook, notes) {
  return notes === notebook.notes ? notebook : { ...notebook, notes: notes.slice(0, longestNotes) };
}

/**
 * A prediction that is there stays as it is.
 * @param {Notebook} notebook @param {string} key @param {Asked} asked @param {string} prediction @returns {Notebook}
 */
export function withPrediction(notebook, key, asked, prediction) {
  const entry = notebook.entries[key] ?? { ...short(asked), prediction: null, answer: null, correct: null };
  if (entry.prediction !== null) return notebook;
  return withEntry(notebook, key, { ...entry, prediction: prediction.slice(0, longestText) });
}

/**
 * The newest answer counts; `correct` is null where nothing can check it.
 * @param {Notebook} notebook @param {string} key @param {Asked} asked @param {string} answer
 * @param {boolean | null} correct @returns {Notebook}
 */
export function withAnswer(notebook, key, asked, answer, correct) {
  const prediction = notebook.entries[key]?.prediction ?? null;
  return withEntry(notebook, key, { ...short(asked), prediction, answer: answer.slice(0, longestText), correct });
}

/** @param {Notebook} notebook @param {string} key @param {NotebookEntry} entry @returns {Notebook} */
const withEntry = (notebook, key, entry) => ({ ...notebook, entries: { ...notebook.entries, [key]: entry } });

/** @param {Asked} asked @returns {Asked} */
const short = ({ sheet, step, question }) => ({
  sheet: sheet.slice(0, longestText),
  step: step.slice(0, longestText),
  question: question.slice(0, longestText),
});

/**
 * Two notebooks that grew from one, as in two tabs. Nothing that was typed is lost: what only one has changed is as that
 * one has it; where both have written notes, the lines of ours that theirs lacks come below theirs. Of two predictions the
 * one that was kept first counts, of two answers ours.
 * @param {Notebook} base what both grew from
 * @param {Notebook} ours
 * @param {Notebook} theirs as it is kept
 * @returns {Notebook}
 */
export function merged(base, ours, theirs) {
  const keys = new Set([...Object.keys(theirs.entries), ...Object.keys(ours.entries)]);
  /** @type {[string, NotebookEntry][]} */
  const entries = [];
  for (const key of keys) {
    const entry = mergedEntry(base.entries[key], ours.entries[key], theirs.entries[key]);
    if (entry !== undefined) entries.push([key, entry]);
  }
  return { notes: mergedNotes(base.notes, ours.notes, theirs.notes), entries: Object.fromEntries(entries) };
}

/** @param {NotebookEntry | undefined} base @param {NotebookEntry | undefined} ours @param {NotebookEntry | undefined} theirs */
function mergedEntry(base, ours, theirs) {
  if (sameEntry(base, ours)) return theirs;
  if (sameEntry(base, theirs) || theirs === undefined || ours === undefined) return ours ?? theirs;
  const prediction = theirs.prediction ?? ours.prediction;
  return ours.answer === null ? { ...theirs, prediction } : { ...ours, prediction };
}

/** @param {NotebookEntry | undefined} one @param {NotebookEntry | undefined} other */
function sameEntry(one, other) {
  if (one === undefined || other === undefined) return one === other;
  return one.prediction === other.prediction && one.answer === other.answer && one.correct === other.correct;
}

/** @param {string} base @param {string} ours @param {string} theirs */
function mergedNotes(base, ours, theirs) {
  if (ours === base || ours === theirs) return theirs;
  if (theirs === base) return ours;
  const known = new Set(theirs.split("\n"));
  const missing = ours.split("\n").filter((line) => !known.has(line));
  if (missing.length === 0) return theirs;
  return theirs === "" ? ours : [theirs, ...missing].join("\n");
}

/** @param {Notebook} notebook */
export const toKept = ({ notes, entries }) => JSON.stringify({ version, notes, entries });

/** What is kept, if this page wrote it: anything else is null. @param {string} kept @returns {Notebook | null} */
export function fromKept(kept) {
  if (kept.length > longestKept) return null;
  /** @type {unknown} */
  let value;
  try {
    value = JSON.parse(kept);
  } catch {
    return null;
  }
  if (!hasFields(value, ["version", "notes", "entries"]) || value.version !== version) return null;
  const { notes, entries } = value;
  if (!isText(notes, longestNotes) || !isRecord(entries)) return null;
  const all = Object.entries(entries);
  if (all.length > mostEntries || !all.every(([key, entry]) => isKey(key) && isEntry(entry))) return null;
  return { notes, entries: /** @type {Notebook["entries"]} */ (Object.fromEntries(all)) };
}

/** @param {string} key */
const isKey = (key) => key.length <= 200 && /^[a-z0-9-]+(\/[a-z0-9-]+)+$/.test(key);

/** @param {unknown} value @returns {value is NotebookEntry} */
function isEntry(value) {
  if (!hasFields(value, ["sheet", "step", "question", "prediction", "answer", "correct"])) return false;
  const { sheet, step, question, prediction, answer, correct } = value;
  return (
    [sheet, step, question].every((text) => isText(text, longestText)) &&
    [prediction, answer].every((text) => text === null || isText(text, longestText)) &&
    (correct === null || typeof correct === "boolean")
  );
}

/** @param {unknown} value @param {string[]} names @returns {value is Record<string, unknown>} of exactly these */
function hasFields(value, names) {
  return isRecord(value) && Object.keys(value).sort().join() === [...names].sort().join();
}

/** @param {unknown} value @returns {value is Record<string, unknown>} */
const isRecord = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** @param {unknown} value @param {number} longest @returns {value is string} */
const isText = (value, longest) => typeof value === "string" && value.length <= longest;
