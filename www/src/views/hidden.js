/** A part of a name that is heard and not seen. */

import { html } from "../../vendor/lit-html.js";

/** @param {string} text */
export const hidden = (text) => html`<span class="visually-hidden">${text}</span>`;
