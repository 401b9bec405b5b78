/** Many draws beside what was to be expected, as bars, and how far the two are apart. */

import { html, nothing } from "../../vendor/lit-html.js";
import { count, fixed } from "../format.js";
import { words } from "../words/bench.js";

/** @import { Draws } from "../protocol.js" */

/**
 * @param {Draws | null} result
 * @param {{ most: number, nameOf?: (id: number) => string }} options rows to show, and names where tokens have others
 */
export function drawsView(result, { most, nameOf }) {
  if (result === null) return nothing;
  const { tokens, counts, probabilities, draws, seed, largestDeviation, chiSquare, degreesOfFreedom, chiSquare95 } = result;
  const rows = [...tokens.ids].slice(0, most);
  const largest = rows.reduce((most, _, row) => Math.max(most, counts[row] / draws, probabilities[row]), 0);
  const others = counts.slice(most).reduce((sum, more) => sum + more, 0);
  const width = (/** @type {number} */ share) => `transform: scaleX(${share / largest})`;
  return html`
    <table class="draws numbers" aria-label=${words.drawsWithSeed(draws, seed)}>
      <thead>
        <tr>
          <th scope="col">${words.token}</th>
          <th scope="col"><span class="visually-hidden">${words.barsOfDraws}</span></th>
          <th scope="col">${words.drawn}</th>
          <th scope="col">${words.expected}</th>
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (id, row) => html`<tr data-id=${id}>
            <th scope="row">
              <code class="chip ${tokens.kind[row]}" aria-hidden="true">${nameOf?.(id) ?? tokens.text[row]}</code
              ><span class="visually-hidden">${nameOf?.(id) ?? tokens.spoken[row]}</span>
            </th>
            <td aria-hidden="true">
              <span class="track thin"><span class="bar mine" style=${width(counts[row] / draws)}></span></span>
              <span class="track thin"><span class="bar model" style=${width(probabilities[row])}></span></span>
            </td>
            <td>${count(counts[row])}</td>
            <td>${fixed(probabilities[row] * draws, 1)}</td>
          </tr>`,
        )}
      </tbody>
    </table>
    <p class="draws-says">
      ${words.drawsSay(seed, draws, others, largestDeviation)}
      ${degreesOfFreedom > 0 ? words.chiSquare(chiSquare, chiSquare95) : nothing}
    </p>
  `;
}
