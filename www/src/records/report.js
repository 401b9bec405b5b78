/** What stands in the lab report: gathered from the state, with the charts that open panels have drawn (charts.js). */

import { words } from "../words/records-report.js";

/** @import { NotebookEntry } from "../lab-types.js" */
/** @import { State } from "../page-types.js" */
/** @import { ReportChart } from "./charts.js" */
/** @import { KeptRecord, RecordedFile, RecordsLab } from "./types.js" */

/**
 * @typedef {object} LabReport
 * @property {string} title
 * @property {string} date
 * @property {string} student
 * @property {{ title: string, revision: string | null, files: RecordedFile[] }[]} models
 * @property {KeptRecord[]} records
 * @property {ReportChart[]} charts
 * @property {{ notes: string, entries: NotebookEntry[] } | null} notebook
 */

/**
 * @param {State} state @param {Pick<RecordsLab, "records" | "student">} lab @param {Date} date @param {ReportChart[]} charts
 * @returns {LabReport}
 */
export function reportOf(state, { records, student }, date, charts) {
  return {
    title: words.title,
    date: date.toISOString().slice(0, 10),
    student,
    models: modelsOf(state, records),
    records,
    charts,
    notebook: notebookOf(state.notebook),
  };
}

/** The models of the records, and the one in use, each once. @param {State} state @param {KeptRecord[]} records */
function modelsOf({ model }, records) {
  /** @type {Map<string, LabReport["models"][number]>} */
  const models = new Map();
  for (const one of [...records.map(({ record }) => record.model), model]) {
    if (!one) continue;
    const { title, revision, files } = one;
    const key = files.map(({ sha256 }) => sha256).join() || title;
    models.set(key, { title, revision, files });
  }
  return [...models.values()];
}

/**
 * The notebook of the lab sheets, where the page has one; whatever is not of its shape is left out.
 * @param {unknown} notebook @returns {LabReport["notebook"]}
 */
export function notebookOf(notebook) {
  if (typeof notebook !== "object" || notebook === null) return null;
  const { notes, entries } = /** @type {{ notes?: unknown, entries?: unknown }} */ (notebook);
  const list = typeof entries === "object" && entries !== null ? Object.values(entries) : [];
  return {
    notes: typeof notes === "string" ? notes : "",
    entries: list.flatMap((/** @type {any} */ entry) =>
      typeof entry?.question === "string"
        ? [
            {
              sheet: textOr(entry.sheet, ""),
              step: textOr(entry.step, ""),
              question: entry.question,
              prediction: textOr(entry.prediction, null),
              answer: textOr(entry.answer, null),
              correct: typeof entry.correct === "boolean" ? entry.correct : null,
            },
          ]
        : [],
    ),
  };
}

/** @template {string | null} T @param {unknown} value @param {T} otherwise @returns {string | T} */
const textOr = (value, otherwise) => (typeof value === "string" ? value : otherwise);
