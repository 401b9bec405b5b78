/** The frame of the lab panels: a row of buttons that open them, and a place for each. mount.js draws what is in them. */

import { html, nothing } from "../../vendor/lit-html.js";
import { isShown, panelId } from "../panel-state.js";
import { labPanels } from "../panels.js";
import { toggleSheets } from "./sheets-frame.js";

/** @import { Actions } from "../actions.js" */
/** @import { State } from "../page-types.js" */

/** @param {State} state @param {Actions} actions */
export function labsView(state, actions) {
  const { linkPanel, panelCode, copied, sheet } = state;
  return html`
    <div class="lab-buttons" role="group" aria-label="Lab panels">
      ${linkPanel === null ? html`<span class="label">Lab panels</span> ${labPanels.map(({ name, label }) =>
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
            Lab sheets
          </button>` : html`<button type="button" class="quiet small" @click=${actions.showAllPanels}>
            Show the other panels
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
              copied?.what === "panel" && copied.panel === name && copied.ok ? "Link copied" : "Copy a link"
            }<span class="visually-hidden"> that opens ${label} alone</span>
          </button>
        </div>
        ${
          panelCode[name] === "failed"
            ? html`<p>This panel's code could not be loaded. Close it and open it again to try once more.</p>`
            : panelCode[name] === "ready"
              ? nothing
              : html`<p class="muted">Loading…</p>`
        }
        <div id=${panelId(name)}></div>
      </section>`,
    )}
  `;
}
