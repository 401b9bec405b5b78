/** A model of the student's own: files from this device, or a folder by its address. */

import { html } from "../../vendor/lit-html.js";

/** @import { Actions } from "../actions.js" */
/** @import { State } from "../page-types.js" */

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
    <summary>Your own model</summary>
    <p>
      Any GPT-NeoX checkpoint that fits into memory, such as Pythia 31M, 70M or 160M. It takes <code>config.json</code>,
      <code>tokenizer.json</code> and <code>model.safetensors</code>, or its parts with
      <code>model.safetensors.index.json</code>. Choose them all at once. Nothing is sent anywhere.
    </p>
    <div class="own-ways">
      <p class="own-drop">
        <label for="own-files">Files of this device</label>
        <input type="file" id="own-files" multiple accept=".json,.safetensors" aria-describedby="own-drop-note" @change=${choose} />
        <span class="muted" id="own-drop-note">Or drop the files, or their folder, anywhere on this page.</span>
      </p>
      <p class="own-folder">
        <label for="own-address">Address of a folder</label>
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
          <button type="button" @click=${open}>Load</button>
        </span>
        <span class="muted" id="own-address-note">
          On this page's own host or the Hugging Face hub, as in
          <code>https://huggingface.co/EleutherAI/pythia-70m/resolve/main/</code>
        </span>
      </p>
    </div>
    <p class="muted">
      What it will take of memory is reckoned before its weights are read, and a model that cannot fit is refused with the
      figures. What was read, ignored and converted, and whether the tokenizer belongs to the model, stands in the model's
      card above.
    </p>
  </details>`;
}
