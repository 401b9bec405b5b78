/** The settings in force in words, to be read and copied, and the same as a call of Hugging Face transformers. */

import { html, nothing } from "../../vendor/lit-html.js";
import { settingsLine, transformersCall } from "../settings-words.js";
import { words } from "../words/settings.js";
import { info } from "./info.js";

/** @import { Actions } from "../actions.js" */
/** @import { State } from "../page-types.js" */

/** @param {State} state @param {Actions} actions */
export function settingsLineView({ controls, copied }, actions) {
  const { code, notes } = transformersCall(controls);
  const ok = copied?.what === "settings" && copied.ok;
  return html`
    <div class="settings-line">
      <p><span class="label">${words.inForce}</span> ${info("chain")} <span id="settings-line">${settingsLine(controls)}</span></p>
      <button type="button" class="quiet small" id="copy-settings" @click=${actions.copySettings}>
        ${ok ? words.copied : words.copy}
      </button>
    </div>
    <details id="transformers-call">
      <summary>${words.asCall}</summary>
      ${code === null ? nothing : html`<pre class="scroll-x" tabindex="0" id="transformers-code">${code}</pre>`}
      ${notes.map((note) => html`<p class="muted">${note}</p>`)}
    </details>
  `;
}
