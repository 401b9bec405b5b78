/** What stands in the lab report: gathered from the state and, for the charts, from what the open panels have drawn. */

/** @import { State } from "../page-types.js" */
/** @import { KeptRecord, RecordedFile, RecordsLab } from "./types.js" */

/** @typedef {{ sheet: string, step: string, question: string, prediction: string | null, answer: string | null, correct: boolean | null }} NotebookEntry */
/** @typedef {{ title: string, svg: string }} ReportChart */
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
    title: "Logit Lab: lab report",
    date: date.toISOString().slice(0, 10),
    student,
    models: modelsOf(state, records),
    records,
    charts,
    notebook: notebookOf(Reflect.get(state, "notebook")),
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

/** The page's colours by day, whatever the screen shows now: a report is read on paper.
 * @returns {(name: string) => string}
 */
function dayColours() {
  const rules = [...document.styleSheets].flatMap(({ cssRules }) => [...cssRules]);
  const root = rules.find((rule) => rule instanceof CSSStyleRule && rule.selectorText === ":root");
  return (name) => (root instanceof CSSStyleRule ? root.style.getPropertyValue(name).trim() : "");
}

/**
 * The charts that open panels show, as pictures of their own: colours of the page's style sheets are written out, for a
 * picture outside the page has none of them.
 * @returns {ReportChart[]}
 */
export function chartsShown() {
  const colour = dayColours();
  return [...document.querySelectorAll(".lab-panel:not([hidden]) .chart-drawing svg")].map((drawn) => {
    const copy = /** @type {SVGElement} */ (drawn.cloneNode(true));
    copy.style.color = colour("--ink");
    copy.style.background = colour("--surface");
    copy.style.fontFamily = "sans-serif";
    const svg = new XMLSerializer()
      .serializeToString(copy)
      .replace(/var\((--[\w-]+)(?:,[^)]*)?\)/g, (whole, name) => colour(name) || whole);
    const title = drawn.closest("figure")?.querySelector("figcaption b")?.textContent ?? "Chart";
    return { title: title.trim(), svg };
  });
}
