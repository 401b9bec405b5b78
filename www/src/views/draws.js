/** Many draws beside what was to be expected, as bars, and how far the two are apart. */

import { html, nothing } from "../../vendor/lit-html.js";
import { count } from "../format.js";

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
    <table class="draws numbers" aria-label=${`${count(draws)} draws with seed ${seed}`}>
      <thead>
        <tr>
          <th scope="col">Token</th>
          <th scope="col"><span class="visually-hidden">Bars: drawn above, expected below</span></th>
          <th scope="col">Drawn</th>
          <th scope="col">Expected</th>
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
            <td>${(probabilities[row] * draws).toFixed(1)}</td>
          </tr>`,
        )}
      </tbody>
    </table>
    <p class="draws-says">
      Seed ${seed}, ${count(draws)} draws${others > 0 ? `, ${count(others)} of them of other tokens` : ""}. No token's share of
      the draws is further from its chance than ${(largestDeviation * 100).toFixed(1)} percentage points.
      ${
        degreesOfFreedom > 0
          ? html`Chi-square is ${chiSquare.toFixed(2)}; honest draws exceed ${chiSquare95.toFixed(2)} in 5 of 100 such
              experiments.`
          : nothing
      }
    </p>
  `;
}
