/** A part of a long panel that unfolds: open from the start where there is room, folded on a phone. */

import { html } from "../../vendor/lit-html.js";

const roomy = globalThis.matchMedia?.("(min-width: 45rem)").matches ?? true;

/**
 * @param {{ id: string, name: string, title: unknown, content: unknown }} part `id` of its title, `name` of its class
 */
export function foldView({ id, name, title, content }) {
  // Said once: whoever folds or unfolds it is not contradicted.
  return html`<details class=${name} ?open=${roomy}>
    <summary><h3 id=${id}>${title}</h3></summary>
    <div class="lab-stack">${content}</div>
  </details>`;
}
