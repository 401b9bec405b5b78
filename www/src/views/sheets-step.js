/** One step of a lab sheet: its text, the buttons that set the page, the prediction, what the engine says, the questions. */

import { html, nothing } from "../../vendor/lit-html.js";
import { entryKey } from "../notebook.js";
import { panelNames } from "../panel-state.js";
import { leadOf } from "../sheets/checks.js";
import { factsOf, initialSheets, predictionKey } from "../sheets/state.js";
import { words } from "../words/sheets.js";
import { labWorkView } from "./lab-work.js";
import { fieldView } from "./sheets-field.js";
import { programView } from "./sheets-loop.js";

/** @import { State } from "../page-types.js" */
/** @import { SheetActions } from "../sheets/actions.js" */
/** @import { Question, Sheet, SheetStep } from "../sheets/types.js" */

/** @param {Sheet} sheet @param {SheetStep} step @param {State} state @param {SheetActions} actions */
export function stepView(sheet, step, state, actions) {
  const sheets = state.sheets ?? initialSheets;
  const { said } = sheets;
  const committed = !step.predict || state.notebook.entries[predictionKey(sheet, step)]?.prediction != null;
  const facts = factsOf(sheets, sheet, step, state.model);
  // What a button sets may show the answer. The blocks of a loop are what is predicted about.
  const sets = html`${setsView(step, actions, step.loop === true || committed)}
    <p class="muted" id="sheet-said" ?hidden=${said?.step !== step.id}>${said?.words}</p>`;
  return html`<div class="sheet-step">
    ${step.text.map((paragraph) => html`<p>${paragraph}</p>`)}
    ${step.loop ? sets : nothing}
    ${step.predict ? predictionView(sheet, step, state, actions) : nothing}
    ${step.loop ? programView(sheets.program, actions) : sets}
    ${asksView(sheet, step, state, actions, committed)}
    ${facts !== null && committed && step.shows ? factsView(step.shows(facts)) : nothing}
    ${step.questions?.map((question) => questionView(sheet, step, question, state, actions, committed))}
  </div>`;
}

/** @param {SheetStep} step @param {SheetActions} actions @param {boolean} open */
function setsView(step, actions, open) {
  const sets = step.sets?.filter(({ panel }) => panel === undefined || panelNames.includes(panel)) ?? [];
  if (sets.length === 0) return nothing;
  return html`<div class="buttons" role="group" aria-label=${words.step.setsLabel}>
    ${sets.map(
      (setting, n) => html`<button
        type="button"
        class="small"
        id=${`sheet-set-${n}`}
        aria-disabled=${!open}
        @click=${() => open && actions.set(step, setting)}
      >
        ${setting.label}
      </button>`,
    )}
  </div>`;
}

/** @param {Sheet} sheet @param {SheetStep} step @param {State} state @param {SheetActions} actions */
function predictionView(sheet, step, { notebook, sheets }, actions) {
  const { predict } = step;
  if (!predict) return nothing;
  const key = predictionKey(sheet, step);
  const entry = notebook.entries[key];
  if (entry && entry.prediction !== null) {
    const { asPredicted, cameOut, notAsPredicted, predicted } = words.step;
    const came = entry.correct === null ? nothing : html` ${entry.correct ? asPredicted : notAsPredicted}`;
    return html`<div class="sheet-prediction" id="sheet-outcome" tabindex="-1">
      <p class="label">${predict.question}</p>
      <p><b>${predicted}</b> ${entry.prediction}</p>
      ${entry.answer === null ? nothing : html`<p id="sheet-came"><b>${cameOut}</b> ${entry.answer}${came}</p>`}
    </div>`;
  }
  return html`<div class="sheet-prediction">
    ${fieldView(key, words.step.predictFirst(predict.question), predict.field, sheets ?? initialSheets, actions)}
    <button type="button" class="primary" id="sheet-commit" @click=${() => actions.commit(sheet, step)}>
      ${words.step.commit}
    </button>
    <p class="muted">${words.step.final}</p>
  </div>`;
}

/** The button that asks the engine. @param {Sheet} sheet @param {SheetStep} step @param {State} state
 * @param {SheetActions} actions @param {boolean} committed
 */
function asksView(sheet, step, state, actions, committed) {
  if (!step.measure && !step.loop) return nothing;
  const { work, fault } = state.sheets ?? initialSheets;
  const loaded = state.activeWorkerId !== null && state.model !== null && state.model.hasTokenizer;
  const hint = !loaded ? words.step.waits : committed ? nothing : words.step.commitFirst;
  return labWorkView({
    id: "sheet-measure",
    label: step.loop ? words.step.runLoop : (step.measure?.label ?? ""),
    what: words.step.work,
    ready: loaded && committed,
    work,
    fault,
    run: () => (step.loop ? actions.runProgram(sheet, step) : actions.measure(sheet, step)),
    stop: actions.stop,
    hint,
  });
}

/** @param {string[]} lines */
const factsView = (lines) => html`<ul class="sheet-facts" id="sheet-facts" aria-label=${words.step.factsLabel}>
  ${lines.map((line) => html`<li>${line}</li>`)}
</ul>`;

/** @param {Sheet} sheet @param {SheetStep} step @param {Question} question @param {State} state
 * @param {SheetActions} actions @param {boolean} committed
 */
function questionView(sheet, step, question, { notebook, sheets: own }, actions, committed) {
  const sheets = own ?? initialSheets;
  const key = entryKey(sheet.name, step.id, question.id);
  const entry = notebook.entries[key];
  const verdict = sheets.verdicts[key];
  const before =
    verdict || !entry || entry.answer === null
      ? nothing
      : html`<p class="muted">${words.answer.last(entry.answer, leadOf(entry.correct))}</p>`;
  return html`<div class="sheet-question" id=${`sheet-question-${question.id}`}>
    ${fieldView(key, question.question, question.field, sheets, actions)}
    <button
      type="button"
      id=${`sheet-check-${question.id}`}
      aria-disabled=${!committed || sheets.work !== null}
      @click=${() => committed && sheets.work === null && actions.answer(sheet, step, question)}
    >
      ${question.right ? words.answer.check : words.answer.keep}
    </button>
    ${committed ? nothing : html`<span class="muted">${words.step.commitFirst}</span>`}
    ${before}
    ${
      verdict
        ? html`<p class="sheet-verdict" id=${`sheet-verdict-${question.id}`}><b>${leadOf(verdict.right)}</b> ${verdict.words}</p>`
        : nothing
    }
  </div>`;
}

