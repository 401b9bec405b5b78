/** The worked example: sampling with four tokens whose chances can be checked by hand. */

import { html } from "../../vendor/lit-html.js";

/** @import { LabParts, PanelView } from "../panels.js" */

/** @param {LabParts} _parts @returns {PanelView} */
export function createPanel(_parts) {
  return () => html`<p>Sampling with four tokens, to be checked by hand.</p>`;
}
