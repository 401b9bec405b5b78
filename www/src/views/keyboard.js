/** The keys of the page, in its foot. */

import { html } from "../../vendor/lit-html.js";
import { words } from "../words/keyboard.js";
import { tableHead } from "./table.js";

export function keyboardView() {
  return html`<details class="model-card" id="keyboard">
    <summary>${words.title}</summary>
    <p>${words.about}</p>
    <table class="lab-table as-list keys" aria-label=${words.title}>
      ${tableHead(words.columns)}
      <tbody>
        ${words.keys.map(
          ({ where, keys, does }) => html`<tr>
            <th scope="row">${where}</th>
            <td>${keys}</td>
            <td>${does}</td>
          </tr>`,
        )}
      </tbody>
    </table>
  </details>`;
}
