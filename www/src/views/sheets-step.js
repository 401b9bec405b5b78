/** One step of a lab sheet: its text, the buttons that set the page, the prediction, what the engine says, the questions. */

import { html, nothing } from "../../vendor/lit-html.js";
import { entryKey } from "../notebook.js";
import { panelNames } from "../panel-state.js";
import { factsOf, initialSheets, predictionKey } from "../sheets/state.js";
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
  return html`<div class="buttons" role="group" aria-label="Set the page">
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
    const came = entry.correct === null ? "" : entry.correct ? " As you predicted." : " Not as you predicted.";
    return html`<div class="sheet-prediction" id="sheet-outcome" tabindex="-1">
      <p class="label">${predict.question}</p>
      <p><b>You predicted:</b> ${entry.prediction}</p>
      ${entry.answer === null ? nothing : html`<p id="sheet-came"><b>What came out:</b> ${entry.answer}${came}</p>`}
    </div>`;
  }
  return html`<div class="sheet-prediction">
    ${fieldView(key, `Predict first. ${predict.question}`, predict.field, sheets ?? initialSheets, actions)}
    <button type="button" class="primary" id="sheet-commit" @click=${() => actions.commit(sheet, step)}>
      Commit this prediction
    </button>
    <p class="muted">It cannot be changed afterwards; a wrong one costs nothing.</p>
  </div>`;
}

/** The button that asks the engine. @param {Sheet} sheet @param {SheetStep} step @param {State} state
 * @param {SheetActions} actions @param {boolean} committed
 */
function asksView(sheet, step, state, actions, committed) {
  if (!step.measure && !step.loop) return nothing;
  const { work, fault } = state.sheets ?? initialSheets;
  const loaded = state.activeWorkerId !== null && state.model !== null && state.model.hasTokenizer;
  const hint = !loaded ? "It waits for a model with a tokenizer." : committed ? nothing : "Commit your prediction first.";
  return labWorkView({
    id: "sheet-measure",
    label: step.loop ? "Run your loop" : (step.measure?.label ?? ""),
    what: "this step's work",
    ready: loaded && committed,
    work,
    fault,
    run: () => (step.loop ? actions.runProgram(sheet, step) : actions.measure(sheet, step)),
    stop: actions.stop,
    hint,
  });
}

/** @param {string[]} lines */
const factsView = (lines) => html`<ul class="sheet-facts" id="sheet-facts" aria-label="What the engine says">
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
      : html`<p class="muted">Your last answer: ${entry.answer}. ${lead(entry.correct)}</p>`;
  return html`<div class="sheet-question" id=${`sheet-question-${question.id}`}>
    ${fieldView(key, question.question, question.field, sheets, actions)}
    <button
      type="button"
      id=${`sheet-check-${question.id}`}
      aria-disabled=${!committed || sheets.work !== null}
      @click=${() => committed && sheets.work === null && actions.answer(sheet, step, question)}
    >
      ${question.right ? "Check" : "Keep in the notebook"}
    </button>
    ${committed ? nothing : html`<span class="muted">Commit your prediction first.</span>`}
    ${before}
    ${
      verdict
        ? html`<p class="sheet-verdict" id=${`sheet-verdict-${question.id}`}><b>${lead(verdict.right)}</b> ${verdict.words}</p>`
        : nothing
    }
  </div>`;
}

/** @param {boolean | null} right */
const lead = (right) => (right === null ? "Kept." : right ? "Right." : "Not yet.");

