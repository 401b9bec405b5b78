/** The prompt, and the buttons that make text from it. */

import { html, live, nothing } from "../../vendor/lit-html.js";
import { words } from "../words/prompt.js";
import { segmentsView } from "./segments.js";

/** @import { Actions } from "../actions.js" */
/** @import { PaceChoice, State } from "../page-types.js" */

/** @param {State} state @param {Actions} actions */
export function promptView({ prompt, catalogue, model }, actions) {
  const entry = catalogue?.models.find(({ id }) => id === model?.id) ?? catalogue?.models[0];
  const examples = entry?.prompts ?? [];
  const edit = (/** @type {Event & { target: HTMLTextAreaElement }} */ { target }) =>
    actions.editPrompt(target.value);
  return html`
    <h2><label for="prompt">${words.prompt}</label></h2>
    <textarea
      id="prompt"
      rows="2"
      spellcheck="false"
      autocapitalize="off"
      aria-describedby="prompt-help"
      .value=${live(prompt)}
      @input=${edit}
      @change=${edit}
      @keydown=${(/** @type {KeyboardEvent} */ event) => {
        if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        actions.generate();
      }}
    ></textarea>
    <p class="visually-hidden" id="prompt-help">${words.help}</p>
    <p class="examples" role="group" aria-label=${words.examples}>
      ${examples.length === 0 ? nothing : html`<span class="label">${words.try}</span>`}
      ${examples.map((example) => {
        const use = () => actions.editPrompt(example);
        return html`<button type="button" class="example" @click=${use}>${example}</button>`;
      })}
    </p>
  `;
}

/** @param {State} state @param {Actions} actions */
export function runButtonsView({ run, text, pace, prompt, activeWorkerId, model }, actions) {
  const ready = activeWorkerId !== null && prompt !== "" && model?.hasTokenizer === true;
  const goesOn = run !== null || (text !== null && text.canContinue && !text.stale);
  const busy = run !== null && !(run.waiting && pace === "step");
  return html`
    <div class="buttons" role="group" aria-label=${words.generateText}>
      <button
        type="button"
        class="primary"
        id="generate"
        ?disabled=${!ready}
        aria-disabled=${busy ? "true" : nothing}
        @click=${actions.generate}
      >
        ${goesOn ? words.continue : words.generate}
      </button>
      <button
        type="button"
        id="one-token"
        ?disabled=${!ready}
        aria-disabled=${run !== null && !run.waiting ? "true" : nothing}
        @click=${actions.oneToken}
      >
        ${words.oneToken}
      </button>
      <button type="button" id="stop" aria-disabled=${run === null ? "true" : nothing} @click=${actions.stop}>
        ${words.stop}
      </button>
      <button
        type="button"
        class="quiet"
        id="clear-text"
        aria-disabled=${text === null ? "true" : nothing}
        @click=${actions.clearText}
      >
        ${words.clearText}
      </button>
    </div>
    ${paceView(pace, actions)}
  `;
}

/** @param {PaceChoice} pace @param {Actions} actions */
function paceView(pace, actions) {
  const choices = /** @type {[PaceChoice, string][]} */ (Object.entries(words.paces));
  return segmentsView("pace", words.pace, choices, pace, actions.choosePace);
}
