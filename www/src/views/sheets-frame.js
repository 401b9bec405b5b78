/** The frame of the lab sheets, beside the main loop or, where there is no room, below it. What is in it loads when opened. */

import { html, nothing } from "../../vendor/lit-html.js";
import { panelId, SHEETS } from "../panel-state.js";
import { words as common } from "../words/common.js";
import { words } from "../words/panels.js";
import { hidden } from "./hidden.js";

/** @import { Actions } from "../actions.js" */
/** @import { State } from "../page-types.js" */

/** Opens the list, or closes what is open. The focus goes along. @param {string | null} sheet @param {Actions} actions */
export function toggleSheets(sheet, actions) {
  actions.showSheet(sheet === null ? "" : null);
  const target = sheet === null ? "sheets-title" : "sheets-button";
  requestAnimationFrame(() => document.getElementById(target)?.focus());
}

/** @param {State} state @param {Actions} actions */
export function sheetsFrameView({ sheet, panelCode }, actions) {
  const code = panelCode[SHEETS];
  return html`<section class="panel" id="sheets-column" aria-labelledby="sheets-title" ?hidden=${sheet === null}>
    <div class="panel-line">
      <h2 id="sheets-title" tabindex="-1">${words.names.sheets}</h2>
      <button type="button" class="quiet small" id="sheets-close" @click=${() => toggleSheets(sheet, actions)}>
        ${words.closeSheets(hidden)}
      </button>
    </div>
    ${
      code === "failed"
        ? html`<p>${words.sheetsNotLoaded}</p>`
        : code === "ready"
          ? nothing
          : html`<p class="muted">${common.loading}</p>`
    }
    <div id=${panelId(SHEETS)}></div>
  </section>`;
}
