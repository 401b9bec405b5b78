/** What the panel "Records and report" keeps of the session, as pure functions. It is a part of the page's state. */

import { stepsOf } from "../branches.js";
import { recordOf } from "./record.js";

/** @import { State } from "../page-types.js" */
/** @import { GeneratedText } from "../text-types.js" */
/** @import { Facts } from "./record.js" */
/** @import { KeptRecord, RecordsLab, RunRecord } from "./types.js" */

/** So many records of the session are kept; the oldest go first. */
export const mostKept = 50;

/** @type {RecordsLab} */
export const initialRecords = {
  work: null,
  fault: null,
  records: [],
  letGo: 0,
  files: [],
  refused: [],
  sort: { column: "file", descending: false },
  student: "",
  copied: null,
};

/** @param {number} number @param {RunRecord} record @param {Partial<KeptRecord>} [more] @returns {KeptRecord} */
export const keptRecord = (number, record, more = {}) => ({
  number,
  record,
  serial: null,
  file: null,
  result: null,
  fault: null,
  ...more,
});

/**
 * The record of a run that has ended. A run that only goes on with a text, with nothing changed, has one record with the
 * run before: single tokens would else be a record each.
 * @param {RecordsLab} lab @param {GeneratedText} text @param {RunRecord} record @returns {RecordsLab}
 */
export function withRecord(lab, text, record) {
  const last = lab.records.at(-1);
  const goesOn = last?.serial === text.serial && last.record.runs.length === record.runs.length;
  const number = goesOn ? last.number : (last?.number ?? 0) + 1;
  const records = [...(goesOn ? lab.records.slice(0, -1) : lab.records), keptRecord(number, record, { serial: text.serial })];
  const over = Math.max(0, records.length - mostKept);
  return { ...lab, records: records.slice(over), letGo: lab.letGo + over, copied: null };
}

/**
 * What the page can still tell of the runs before the panel was opened: the texts that it has kept, and the present one.
 * @param {State} state @param {Facts} facts @param {RecordsLab} lab
 */
export function withTextsSoFar(state, facts, lab) {
  const { branches, text } = state;
  const ended = [...branches, ...(text && !branches.includes(text) ? [text] : [])]
    .filter((made) => made.reason !== null && made.madeOn !== null && stepsOf(made).length > 0)
    .sort((a, b) => a.serial - b.serial);
  // When they were made is not known any more.
  const then = { ...facts, nowIso: null };
  return ended.reduce((so, made) => withRecord(so, made, recordOf(state, then, made)), lab);
}

/** @param {RecordsLab} lab @param {KeptRecord} kept @param {Partial<KeptRecord>} change @returns {RecordsLab} */
export function withChange(lab, kept, change) {
  const change1 = (/** @type {KeptRecord[]} */ list) =>
    list.map((one) => (one.number === kept.number && one.file === kept.file ? { ...one, ...change } : one));
  return { ...lab, records: change1(lab.records), files: change1(lab.files) };
}
