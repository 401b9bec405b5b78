/** Which engine runs the model. A choice loads the model again, in a new worker, as a switch of the model does. */

import { html, live, nothing } from "../../vendor/lit-html.js";
import { offeredChoices } from "../engine-choices.js";
import { words } from "../words/models.js";

/** @import { Actions } from "../actions.js" */
/** @import { State } from "../page-types.js" */

/** @param {State} state @param {Actions} actions */
export function engineChoiceView(state, actions) {
  const { model, loads } = state;
  if (!model) return nothing;
  // What is on its way counts as chosen; if it fails, the card tells again what runs.
  const coming = loads.find(({ title, activate }) => activate === "always" && title === model.title)?.options;
  return html`<div class="engine-choice" role="group" aria-label=${words.engine} id="engine-choice">
    ${offeredChoices(state).map(({ name, label, values }) => {
      const chosen = coming?.[name] ?? model.card[name];
      return html`<label
        >${label}
        <select
          id=${`engine-${name}`}
          @change=${(/** @type {Event & { target: HTMLSelectElement }} */ { target }) =>
            actions.chooseEngine({ [name]: target.value })}
        >
          ${values.map(
            ({ value, label }) =>
              html`<option value=${value} .selected=${live(value === chosen)}>${label}</option>`,
          )}
        </select></label
      >`;
    })}
  </div>`;
}
