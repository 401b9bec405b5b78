/** The frame of the lab panels: a row of buttons that open them, and a place for each. mount.js draws what is in them. */

import { html, nothing } from "../../vendor/lit-html.js";
import { isShown, panelId } from "../panel-state.js";
import { labPanels } from "../panels.js";
import { words as common } from "../words/common.js";
import { words } from "../words/panels.js";
import { hidden } from "./hidden.js";
import { toggleSheets } from "./sheets-frame.js";

/** @import { Actions } from "../actions.js" */
/** @import { State } from "../page-types.js" */

/** @param {State} state @param {Actions} actions */
export function labsView(state, actions) {
  const { linkPanel, panelCode, copied, sheet } = state;
  return html`
    <div class="lab-buttons" role="group" aria-label=${words.panels}>
      ${linkPanel === null ? html`<span class="label">${words.panels}</span> ${labPanels.map(({ name, label }) =>
          html`<button
            type="button"
            aria-expanded=${isShown(state, name)}
            aria-controls=${`lab-${name}`}
            @click=${() => actions.togglePanel(name)}
          >
            ${label}
          </button>`)}<button
            type="button"
            id="sheets-button"
            aria-expanded=${sheet !== null}
            aria-controls="sheets-column"
            @click=${() => toggleSheets(sheet, actions)}
          >
            ${words.names.sheets}
          </button>` : html`<button type="button" class="quiet small" @click=${actions.showAllPanels}>
            ${words.showOthers}
          </button>`}
    </div>
    ${labPanels.map(
      ({ name, label }) => html`<section
        class="panel lab-panel"
        id=${`lab-${name}`}
        aria-labelledby=${`lab-${name}-title`}
        ?hidden=${!isShown(state, name)}
      >
        <div class="panel-line">
          <h2 id=${`lab-${name}-title`}>${label}</h2>
          <button type="button" class="quiet small" @click=${() => actions.copyPanelLink(name)}>
            ${
              copied?.what === "panel" && copied.panel === name && copied.ok
                ? words.linkCopied(hidden, label)
                : words.copyLink(hidden, label)
            }
          </button>
        </div>
        ${
          panelCode[name] === "failed"
            ? html`<p>${words.notLoaded}</p>`
            : panelCode[name] === "ready"
              ? nothing
              : html`<p class="muted">${common.loading}</p>`
        }
        <div id=${panelId(name)}></div>
      </section>`,
    )}
  `;
}
