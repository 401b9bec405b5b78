/** The lab sheets as a document, docs/sheets.md: written from what the page shows, so that the two cannot differ. */

import { arranged } from "../www/src/sheets/checks.js";
import { entryKey } from "../www/src/notebook.js";
import { predictionKey } from "../www/src/sheets/state.js";

/** @import { Field, Sheet, SheetStep } from "../www/src/sheets/types.js" */

/** @param {Sheet[]} sheets */
export function sheetsMarkdown(sheets) {
  const head = `# Lab sheets

<!-- Written from www/src/sheets by \`LOGIT_LAB_UPDATE=1 node --test tests/web/sheets.test.mjs\`; do not edit. -->

What the page shows under *Lab sheets*, for reading and printing. Answers are not in here: the page computes them and checks
against its engine. [teachers.md](teachers.md) says what each sheet is good for and how to use them with a class.

${sheets.map((sheet, n) => `${n + 1}. [${sheet.title}](#${anchor(sheet, n)})`).join("\n")}
`;
  return `${[head, ...sheets.map(sheetMarkdown)].join("\n")}`;
}

/** As GitHub makes it of the heading. @param {Sheet} sheet @param {number} n */
const anchor = ({ title }, n) =>
  `${n + 1}. ${title}`.toLowerCase().replace(/[^\p{L}\d\s-]/gu, "").replaceAll(" ", "-");

/** @param {Sheet} sheet @param {number} n */
function sheetMarkdown(sheet, n) {
  const { name, title, about, minutes, model, steps } = sheet;
  return `## ${n + 1}. ${title}

${about} About ${minutes} minutes. Model: ${model}. Opens with \`#sheet=${name}\`.

${steps.map((step, place) => stepMarkdown(sheet, step, place)).join("\n")}`;
}

/** @param {Sheet} sheet @param {SheetStep} step @param {number} n */
function stepMarkdown(sheet, step, n) {
  const { title, text, sets, predict, measure, loop, questions } = step;
  const lines = [`### ${n + 1}. ${title}`, ...text];
  const buttons = sets ? [list(sets.map(({ label }) => `Button: *${label}*`))] : [];
  const prediction = predict
    ? [`**Predict first.** ${predict.question}${choices(predict.field, predictionKey(sheet, step))}`]
    : [];
  // In the page's order: what a button sets may show the answer.
  lines.push(...(loop ? [...buttons, ...prediction] : [...prediction, ...buttons]));
  if (loop) lines.push("Then: *Run your loop*.");
  else if (measure) lines.push(`Then: *${measure.label}*.`);
  for (const { id, question, field } of questions ?? []) {
    lines.push(`**Question.** ${question}${choices(field, entryKey(sheet.name, step.id, id))}`);
  }
  return `${lines.join("\n\n")}\n`;
}

/** @param {Field} field @param {string} key */
function choices(field, key) {
  if (field.kind === "choice") return `\n\n${list(arranged(field, key).map(([, words]) => words))}`;
  if (field.kind === "number") return ` (a number${field.unit && field.unit.other !== "times" ? `, in ${field.unit.other}` : ""})`;
  return " (in your own words)";
}

/** @param {string[]} items */
const list = (items) => items.map((item) => `- ${item}`).join("\n");
