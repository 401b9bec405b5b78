/** What the page's address and browser allow: use without a network, a fine clock; and that a new version is ready. */

import { html, nothing } from "../../vendor/lit-html.js";
import { setting } from "../format.js";

/** @import { Actions } from "../actions.js" */
/** @import { OfflineState, State } from "../page-types.js" */

/** @type {Record<OfflineState, string>} */
const offlineTexts = {
  unknown: "",
  keeping: "Keeping this page and its own model for use without a network…",
  kept: "This page and its own model are kept in this browser: they open without a network.",
  failed: "This page could not be kept for use without a network: it needs its host at each visit.",
  insecure: "Nothing is kept in this browser, because the page's address is plain http: it needs its host at each visit.",
  impossible: "This browser does not keep the page here: it needs its host at each visit.",
};

/** @param {State} state */
export function hostingView({ offline, clock }) {
  const step = clock ? `Clock step ${setting(clock.stepMs)} ms (${clock.isolated ? "isolated" : "not isolated"}).` : "";
  return html`${offlineTexts[offline]} ${step}`;
}

/** @param {State} state @param {Actions} actions */
export function updateView({ update }, actions) {
  if (update !== "ready") return nothing;
  return html`<section class="update-notice" aria-label="New version">
    <p>A new version is ready. This one goes on until you reload.</p>
    <button type="button" class="primary" @click=${() => location.reload()}>Reload</button>
    <button type="button" class="quiet" @click=${actions.dismissUpdate}>Later</button>
  </section>`;
}
