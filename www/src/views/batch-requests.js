/** The requests of a batch, each with a name, a prompt and how many tokens it wants. */

import { html } from "../../vendor/lit-html.js";
import { fewestRequests, mostRequests } from "../batch/state.js";
import { words } from "../words/batch.js";
import { fieldFault, typedField } from "./fields.js";

/** @import { BatchActions } from "../batch/actions.js" */
/** @import { BatchSetup, RequestFields } from "../batch/types.js" */

/** @param {BatchSetup} setup @param {Record<string, string>} faults @param {BatchActions} actions */
export function requestsView({ requests }, faults, actions) {
  return html`<div class="batch-requests" role="group" aria-label=${words.requests.label}>
    ${requests.map((request, index) => requestView(request, index, requests.length, faults, actions))}
    <button type="button" id="batch-add" ?disabled=${requests.length >= mostRequests} @click=${actions.add}>
      ${words.requests.add}
    </button>
  </div>`;
}

/**
 * @param {RequestFields} request @param {number} index @param {number} requests how many there are
 * @param {Record<string, string>} faults @param {BatchActions} actions
 */
function requestView(request, index, requests, faults, actions) {
  const { name, newTokens, prompt, remove, removeWhich, request: numbered, unnamed } = words.requests;
  return html`<div class="batch-request" role="group" aria-label=${numbered(index + 1)}>
    ${field("name", name, request, index, faults, actions)} ${field("prompt", prompt, request, index, faults, actions)}
    ${field("newTokens", newTokens, request, index, faults, actions)}
    <button
      type="button"
      class="quiet small"
      aria-label=${removeWhich(request.name || unnamed(index + 1))}
      ?disabled=${requests <= fewestRequests}
      @click=${() => actions.remove(index)}
    >
      ${remove}
    </button>
  </div>`;
}

/**
 * @param {keyof RequestFields} name @param {string} label @param {RequestFields} request @param {number} index
 * @param {Record<string, string>} faults @param {BatchActions} actions
 */
function field(name, label, request, index, faults, actions) {
  const key = `${name}-${index}`;
  const fault = faults[key];
  const id = `batch-${key}`;
  return html`<label class="batch-field"
    ><span class="label">${label}</span>
    ${typedField({
      id,
      keys: name === "newTokens" ? "numeric" : null,
      fault: fault ?? null,
      value: request[name],
      type: (text) => actions.type(index, { [name]: text }),
    })}
    ${fieldFault(id, fault)}</label
  >`;
}
