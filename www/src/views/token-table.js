/** The tokens of the text as a table, and how a text is drawn block by block. */

import { guard, html, repeat } from "../../vendor/lit-html.js";
import { count, percent } from "../format.js";
import { words } from "../words/text.js";

/** @import { TextStep as Step } from "../text-types.js" */

/**
 * A block that is full is not looked at again. Another text has other elements, whatever their number: text-flow.js puts
 * each in its place but once.
 *
 * @param {Step[][]} blocks
 * @param {(block: Step[]) => unknown} template
 */
export const eachBlock = (blocks, template) =>
  repeat(
    blocks,
    (block) => block[0],
    (block) => guard([block], () => template(block)),
  );

/** @param {Step[][]} blocks */
export function tokenTable(blocks) {
  return html`<div class="scroll-y" tabindex="0" role="group" aria-label=${words.tokensMade}>
    ${blocks.length === 0 ? html`<p class="muted">${words.noTokens}</p>` : eachBlock(blocks, blockTable)}
  </div>`;
}

/** A table for each block: the browser lays out a table whole when it grows. @param {Step[]} block */
function blockTable(block) {
  return html`<div class="block-rows">
    <table class="made" aria-label=${words.tokensFrom(block[0].index + 1)}>
      <thead>
        <tr>
          <th scope="col" class="number">${words.columns.number}</th>
          <th scope="col">${words.columns.token}</th>
          <th scope="col" class="id">${words.columns.id}</th>
          <th scope="col" class="place">${words.columns.rank}</th>
          <th scope="col" class="drawn">${words.columns.drawnWith}</th>
        </tr>
      </thead>
      <tbody>
        ${block.map(tokenRow)}
      </tbody>
    </table>
  </div>`;
}

/** @param {Step} step */
function tokenRow({ index, id, shown, spoken, kind, rank, probability, byHand }) {
  return html`<tr>
    <td>${index + 1}</td>
    <th scope="row">
      <code class="chip ${kind}" aria-hidden="true">${shown}</code>
      <span class="visually-hidden">${spoken}</span>
    </th>
    <td>${id}</td>
    <td>${count(rank + 1)}</td>
    <td>${byHand ? words.putIn : percent(probability)}</td>
  </tr>`;
}
