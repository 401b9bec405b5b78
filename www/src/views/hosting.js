/** What the page's address and browser allow: use without a network, a fine clock; and that a new version is ready. */

import { html, nothing } from "../../vendor/lit-html.js";
import { words } from "../words/models.js";

/** @import { Actions } from "../actions.js" */
/** @import { State } from "../page-types.js" */

/** @param {State} state */
export function hostingView({ offline, clock }) {
  return html`${words.offline[offline]} ${clock ? words.clockStep(clock.stepMs, clock.isolated) : ""}`;
}

/** @param {State} state @param {Actions} actions */
export function updateView({ update }, actions) {
  if (update !== "ready") return nothing;
  return html`<section class="update-notice" aria-label=${words.newVersion}>
    <p>${words.newVersionReady}</p>
    <button type="button" class="primary" @click=${() => location.reload()}>${words.reload}</button>
    <button type="button" class="quiet" @click=${actions.dismissUpdate}>${words.later}</button>
  </section>`;
}
