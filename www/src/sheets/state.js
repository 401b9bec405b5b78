/** What the lab sheets keep while one is worked through, and what is done of a sheet: pure functions. */

import { entryKey } from "../notebook.js";
import { words } from "../words/sheets.js";
import { startProgram } from "./loop.js";

/** @import { Notebook } from "../lab-types.js" */
/** @import { LoadedModel } from "../messages.js" */
/** @import { Facts, Sheet, SheetStep, Sheets } from "./types.js" */

/** @type {Sheets} */
export const initialSheets = {
  places: {},
  typed: {},
  verdicts: {},
  facts: {},
  said: null,
  program: startProgram,
  work: null,
  fault: null,
  erasing: false,
};

/** The last part of the key of a step's prediction. */
const PREDICTION = "predicted";

/** @param {Sheet} sheet @param {SheetStep} step */
export const predictionKey = (sheet, step) => entryKey(sheet.name, step.id, PREDICTION);

/** Facts are of the very weights and engine that they were asked of. @param {LoadedModel | null} model */
export function modelKeyOf(model) {
  if (model === null) return "";
  const { precision, kernel, kvCache, simd } = model.card;
  return [model.files.map(({ sha256 }) => sha256), precision, kernel, kvCache, simd].join();
}

/** What is known for a step with the model in use; of a step that asks nothing all is known.
 * @param {Sheets} sheets @param {Sheet} sheet @param {SheetStep} step @param {LoadedModel | null} model @returns {Facts | null}
 */
export function factsOf({ facts }, sheet, step, model) {
  if (!step.measure && !step.loop) return {};
  const known = facts[entryKey(sheet.name, step.id)];
  return known && known.model === modelKeyOf(model) ? known.values : null;
}

/** The keys of what a step asks for, its prediction first. @param {Sheet} sheet @param {SheetStep} step */
export const keysOf = (sheet, step) => [
  ...(step.predict ? [predictionKey(sheet, step)] : []),
  ...(step.questions ?? []).map(({ id }) => entryKey(sheet.name, step.id, id)),
];

/** Whether all is done that a step asks for: predictions seen through, questions answered and none of them wrongly.
 * @param {Notebook} notebook @param {Sheet} sheet @param {SheetStep} step
 */
export function isDone({ entries }, sheet, step) {
  return keysOf(sheet, step).every((key) => {
    const entry = entries[key];
    if (!entry || entry.answer === null) return false;
    return entry.prediction !== null || entry.correct !== false;
  });
}

/** @param {Notebook} notebook @param {Sheet} sheet */
export const doneSteps = (notebook, sheet) => sheet.steps.filter((step) => isDone(notebook, sheet, step)).length;

/** In words. @param {Notebook} notebook @param {Sheet} sheet */
export function progressOf(notebook, sheet) {
  const done = doneSteps(notebook, sheet);
  if (done === sheet.steps.length) return words.progress.allDone;
  const begun = sheet.steps.some((step) => keysOf(sheet, step).some((key) => notebook.entries[key]));
  return begun ? words.progress.some(done, sheet.steps.length) : words.progress.notBegun;
}
