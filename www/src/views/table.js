/** What the lab panels' tables have in common. */

import { html } from "../../vendor/lit-html.js";

/** A row of column names, with units where the columns have numbers. @param {string[]} names */
export const tableHead = (names) =>
  html`<thead>
    <tr>
      ${names.map((name) => html`<th scope="col">${name}</th>`)}
    </tr>
  </thead>`;
