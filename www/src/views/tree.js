/** The panel "Branches and beams": the texts of this prompt as a tree, and beam search. */

import { html, nothing } from "../../vendor/lit-html.js";
import { canChange, oldTexts, presentTexts } from "../branches.js";
import { createBeamActions } from "../beam-actions.js";
import { count } from "../format.js";
import { countSteps } from "../text-blocks.js";
import { meanLogProbability, textTree, textTreeSentence } from "../text-tree.js";
import { allNodes, logarithm } from "../tree-node.js";
import { words } from "../words/tree.js";
import { beamsView } from "./beams.js";
import { chip, treeView } from "./tree-list.js";
import { tableHead } from "./table.js";

/** @import { Actions } from "../actions.js" */
/** @import { LabParts, PanelView } from "../panels.js" */
/** @import { State } from "../page-types.js" */
/** @import { GeneratedText } from "../text-types.js" */
/** @import { TreeNode } from "../tree-node.js" */

const { branches } = words;

/** @param {LabParts} parts @returns {PanelView} */
export function createPanel(parts) {
  const beamActions = createBeamActions(parts);
  return (state) => html`
    <p class="muted">${words.intro}</p>
    <h3>${branches.heading}</h3>
    ${branchesView(state, parts.actions)}
    <h3>${words.beams.heading}</h3>
    ${beamsView(state, beamActions)}
  `;
}

/** @param {State} state @param {Actions} actions */
function branchesView(state, actions) {
  const texts = presentTexts(state);
  const present = state.text && !state.text.stale ? state.text : null;
  const tree = textTree(texts, present, actions.useText);
  return html`
    <p>${branches.intro}</p>
    <p id="branches-sentence">${textTreeSentence(texts, tree)}</p>
    <div class="scroll-y" id="branches" ?inert=${!canChange(state)} tabindex="0" role="group" aria-label=${branches.heading}>
      ${treeView(tree)}
    </div>
    ${texts.length > 1 ? branchTable(tree) : nothing} ${oldView(oldTexts(state), actions)}
  `;
}

/** @param {TreeNode[]} tree */
function branchTable(tree) {
  return html`<details>
    <summary>${branches.asTable}</summary>
    <table class="lab-table numbers" aria-label=${branches.table}>
      ${tableHead(branches.columns)}
      <tbody>
        ${allNodes(tree).map(
          ({ index, tokens, facts, tags }) =>
            html`<tr>
              <td>${count(index + 1)}</td>
              <th scope="row">${chip(tokens[0])}</th>
              <td>${count(tokens.length)}</td>
              <td>${[...tags, ...facts].join("; ")}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </details>`;
}

/** @param {GeneratedText[]} texts @param {Actions} actions */
function oldView(texts, actions) {
  if (texts.length === 0) return nothing;
  return html`<div class="old-texts">
    <div class="panel-line">
      <h4>${branches.old(texts.length)}</h4>
      <button type="button" class="quiet small" id="clear-old-texts" @click=${actions.clearOldTexts}>${branches.clear}</button>
    </div>
    <ul role="list" class="muted">
      ${texts.map(
        (text) => html`<li>
          ${branches.oldText(text.prompt.slice(-40), countSteps(text.blocks), logarithm(meanLogProbability(text)))}
        </li>`,
      )}
    </ul>
  </div>`;
}
