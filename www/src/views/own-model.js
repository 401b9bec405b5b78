/** A model of the student's own: files from this device, or a folder by its address. */

import { html } from "../../vendor/lit-html.js";
import { words } from "../words/models.js";

/** @import { Actions } from "../actions.js" */
/** @import { State } from "../page-types.js" */

const exampleFolder = "https://huggingface.co/EleutherAI/pythia-70m/resolve/main/";

/** @param {State} _state @param {Actions} actions */
export function ownModelView(_state, actions) {
  const choose = (/** @type {Event & { target: HTMLInputElement }} */ { target }) => {
    actions.loadFiles([...(target.files ?? [])]);
    // The same files can be chosen again.
    target.value = "";
  };
  const open = () => {
    const field = /** @type {HTMLInputElement | null} */ (document.getElementById("own-address"));
    if (field && field.value.trim() !== "") actions.loadFolder(field.value);
  };
  return html`<details class="model-card own-model" id="own-model">
    <summary>${words.own}</summary>
    <p>
      ${words.ownFiles((file) => html`<code>${file}</code>`)}
    </p>
    <div class="own-ways">
      <p class="own-drop">
        <label for="own-files">${words.filesOfDevice}</label>
        <input type="file" id="own-files" multiple accept=".json,.safetensors" aria-describedby="own-drop-note" @change=${choose} />
        <span class="muted" id="own-drop-note">${words.orDrop}</span>
      </p>
      <p class="own-folder">
        <label for="own-address">${words.addressOfFolder}</label>
        <span class="own-line">
          <input
            type="text"
            id="own-address"
            inputmode="url"
            autocomplete="off"
            spellcheck="false"
            aria-describedby="own-address-note"
            @keydown=${(/** @type {KeyboardEvent} */ { key }) => key === "Enter" && open()}
          />
          <button type="button" @click=${open}>${words.loadFolder}</button>
        </span>
        <span class="muted" id="own-address-note">
          ${words.addressAsIn}
          <code>${exampleFolder}</code>
        </span>
      </p>
    </div>
    <p class="muted">
      ${words.ownMemory}
    </p>
  </details>`;
}
