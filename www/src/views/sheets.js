/** The lab sheets: the list of them with the notebook, or one sheet, a step at a time. */

import { html, nothing, repeat } from "../../vendor/lit-html.js";
import { createSheetActions } from "../sheets/actions.js";
import { sheets } from "../sheets/index.js";
import { initialSheets, progressOf } from "../sheets/state.js";
import { words } from "../words/sheets.js";
import { hidden } from "./hidden.js";
import { sheetListView } from "./sheets-list.js";
import { stepView } from "./sheets-step.js";

/** @import { State } from "../page-types.js" */
/** @import { LabParts, PanelView } from "../panels.js" */
/** @import { SheetActions } from "../sheets/actions.js" */
/** @import { Sheet } from "../sheets/types.js" */

/** @param {LabParts} parts @returns {PanelView} */
export function createPanel(parts) {
  const actions = createSheetActions(parts);
  return (state) => {
    const sheet = sheets.find(({ name }) => name === state.sheet);
    return html`${state.notebookTrouble === null
      ? nothing
      : html`<p class="fault" id="notebook-trouble">${state.notebookTrouble}</p>`}
    ${sheet ? sheetView(sheet, state, actions, parts.actions.copyLink) : sheetListView(sheets, state, actions)}`;
  };
}

/** @param {Sheet} sheet @param {State} state @param {SheetActions} actions @param {() => void} copyLink */
function sheetView(sheet, state, actions, copyLink) {
  const { places } = state.sheets ?? initialSheets;
  const place = Math.min(places[sheet.name] ?? 0, sheet.steps.length - 1);
  const step = sheet.steps[place];
  const { about, all, back, copyLink: copy, done, linkCopied, linkTo, next, step: numbered } = words.sheet;
  return html`<div class="sheet" id="sheet">
    <div class="panel-line">
      <button type="button" class="quiet small" id="sheets-all" @click=${() => actions.show("")}>${all}</button>
      <button type="button" class="quiet small" @click=${copyLink}>
        ${state.copied?.what === "link" && state.copied.ok ? linkCopied : copy}${hidden(linkTo(sheet.title))}
      </button>
    </div>
    <h3 id="sheet-title">${sheet.title}</h3>
    <p class="muted" id="sheet-progress">${about(sheet.about, sheet.minutes, progressOf(state.notebook, sheet))}</p>
    <section aria-labelledby="sheet-step-title">
      <h4 id="sheet-step-title" tabindex="-1">
        <span class="label">${numbered(place + 1, sheet.steps.length)}</span> ${step.title}
      </h4>
      ${
        // Another step has fields of its own, not those of the step before.
        repeat([step], ({ id }) => id, () => stepView(sheet, step, state, actions))
      }
    </section>
    <div class="panel-line">
      <button
        type="button"
        id="sheet-back"
        aria-disabled=${place === 0}
        @click=${() => place > 0 && actions.goTo(sheet, place - 1)}
      >
        ${back}
      </button>
      ${
        place + 1 < sheet.steps.length
          ? html`<button type="button" class="primary" id="sheet-next" @click=${() => actions.goTo(sheet, place + 1)}>
              ${next}
            </button>`
          : html`<button type="button" class="primary" id="sheet-end" @click=${() => actions.show("")}>
              ${done}
            </button>`
      }
    </div>
  </div>`;
}
