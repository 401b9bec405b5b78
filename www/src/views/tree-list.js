/** A tree as nested lists with buttons: of texts, or of beams. */

import { html, nothing, repeat } from "../../vendor/lit-html.js";
import { words } from "../words/tree.js";

/** @import { TreeNode, TreeToken } from "../tree-node.js" */

/** A long piece is shown by its beginning and its end. */
const shownFirst = 10;
const shownLast = 4;

/** @param {TreeNode[]} nodes */
export const treeView = (nodes) => html`<div class="tree">${listOf(nodes)}</div>`;

/** @param {TreeNode[]} nodes @returns {unknown} */
const listOf = (nodes) =>
  nodes.length === 0
    ? nothing
    : html`<ul role="list">${repeat(nodes, ({ id }) => id, nodeView)}</ul>`;

/** @param {TreeNode} node */
function nodeView({ index, tokens, facts, tags, marked, use, dropped, children }) {
  return html`<li>
    <div class="tree-node ${marked ? "marked" : ""}">
      <span class="tree-place numbers">${placeOf(index, tokens.length)}</span>
      <span class="tree-tokens">${piece(tokens)}</span>
      ${tags.map((tag) => html`<span class="tag">${tag}</span>`)}
      <span class="tree-facts muted numbers">${facts.join(" · ")}</span>
      ${
        use
          ? html`<button type="button" class="small" aria-label=${use.spoken} @click=${use.run}>${use.label}</button>`
          : nothing
      }
      ${dropped.length > 0 ? droppedView(dropped) : nothing}
    </div>
    ${listOf(children)}
  </li>`;
}

/** @param {number} index @param {number} tokens */
function placeOf(index, tokens) {
  return tokens === 0 ? words.prompt : words.place(index, tokens);
}

/** @param {TreeToken[]} tokens */
function piece(tokens) {
  if (tokens.length <= shownFirst + shownLast + 1) return tokens.map(chip);
  const between = tokens.length - shownFirst - shownLast;
  return html`${tokens.slice(0, shownFirst).map(chip)}
    <span class="muted">${words.between(between)}</span> ${tokens.slice(-shownLast).map(chip)}`;
}

/** @param {TreeToken} token */
export const chip = ({ shown, spoken, kind }) =>
  html`<code class="chip ${kind}" aria-hidden="true">${shown}</code><span class="visually-hidden">${spoken} </span>`;

/** @param {TreeNode["dropped"]} dropped */
function droppedView(dropped) {
  return html`<details class="tree-dropped">
    <summary>${words.dropped(dropped.length)}</summary>
    <ul role="list">
      ${dropped.map(
        ({ token, index, facts }) =>
          html`<li>
            <span class="tree-place numbers">${words.place(index, 1)}</span> <s>${chip(token)}</s>
            <span class="muted numbers">${facts.join(" · ")}</span>
          </li>`,
      )}
    </ul>
  </details>`;
}
