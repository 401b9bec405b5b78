/** Beam search: its controls, its tree, and its steps as a table. */

import { html, nothing } from "../../vendor/lit-html.js";
import { beamSentence, beamTree, tokenOf } from "../beam-tree.js";
import { mostBeams, readBeamFields } from "../beam-fields.js";
import { isOfPresent } from "../branches.js";
import { count } from "../format.js";
import { logarithm } from "../tree-node.js";
import { words as labWords } from "../words/lab-work.js";
import { words } from "../words/tree.js";
import { choiceField, typedField } from "./fields.js";
import { chip, treeView } from "./tree-list.js";
import { tableHead } from "./table.js";

/** @import { BeamActions } from "../beam-actions.js" */
/** @import { State } from "../page-types.js" */
/** @import { BeamTree } from "../protocol.js" */
/** @import { BeamFields } from "../text-types.js" */

const { beams: texts } = words;

/** @param {State} state @param {BeamActions} actions */
export function beamsView(state, actions) {
  const { beams } = state;
  const current = isOfPresent(state, beams);
  const shown = current ? beams : { ...beams, tree: null, sequences: null, greedy: null };
  return html`
    <p>${texts.intro}</p>
    ${controlsView(state, actions)}
    <p id="beams-sentence" class="numbers">${beamSentence(shown)}</p>
    <div class="scroll-y" id="beams-tree" tabindex="0" role="group" aria-label=${texts.tree}>
      ${treeView(beamTree(shown, actions.useSequence))}
    </div>
    ${shown.tree ? tableView(shown.tree) : nothing}
  `;
}

/** @param {State} state @param {BeamActions} actions */
function controlsView({ beams, prompt, activeWorkerId }, actions) {
  const { fields, runId } = beams;
  const read = readBeamFields(fields);
  const numbers = (/** @type {number} */ most) => Array.from({ length: most }, (_, n) => [String(n + 1), String(n + 1)]);
  const ready = activeWorkerId !== null && prompt !== "" && !("fault" in read);
  const select = (/** @type {keyof BeamFields} */ name, /** @type {string[][]} */ choices) =>
    html`<label
      >${texts.fields[name]}
      ${choiceField({
        id: `beam-${name}`,
        options: choices.map(([value, label]) => ({ value, label })),
        value: fields[name],
        choose: (value) => actions.setBeamField(name, value),
      })}</label
    >`;
  const field = (/** @type {keyof BeamFields} */ name) =>
    html`<label
      >${texts.fields[name]}
      ${typedField({
        id: `beam-${name}`,
        keys: "decimal",
        fault: "fault" in read && read.name === name ? read.fault : null,
        faultId: "beam-fault",
        value: fields[name],
        type: (text) => actions.setBeamField(name, text),
      })}</label
    >`;
  return html`
    <div class="beam-controls">
      ${select("beams", numbers(mostBeams))}
      ${select("numReturn", numbers(Number(fields.beams)))}
      ${field("maxNewTokens")} ${field("lengthPenalty")}
      ${select("earlyStopping", Object.entries(texts.earlyStopping))}
      <button type="button" class="primary" id="run-beams" ?disabled=${!ready} aria-disabled=${runId === null ? nothing : "true"} @click=${actions.runBeams}>
        ${texts.run}
      </button>
      <button type="button" id="stop-beams" aria-disabled=${runId === null ? "true" : nothing} @click=${actions.stopBeams}>
        ${labWords.stop}<span class="visually-hidden"> ${texts.stopWhat}</span>
      </button>
    </div>
    <p class=${"fault" in read ? "fault" : "no-fault"} id="beam-fault">${"fault" in read ? read.fault : nothing}</p>
  `;
}

/** @param {BeamTree} tree */
function tableView(tree) {
  return html`<details id="beams-table">
    <summary>${texts.steps}</summary>
    <div class="scroll-y" tabindex="0" role="group" aria-label=${texts.continuations}>
      <table class="lab-table numbers" aria-label=${texts.table}>
        ${tableHead(texts.columns)}
        <tbody>
          ${Array.from(tree.tokens.ids, (_, row) => tableRow(tree, row))}
        </tbody>
      </table>
    </div>
  </details>`;
}

/** @param {BeamTree} tree @param {number} row */
function tableRow(tree, row) {
  const parent = tree.parents[row];
  return html`<tr>
    <td>${count(tree.steps[row] + 1)}</td>
    <th scope="row">${chip(tokenOf(tree, row))}</th>
    <td>${parent === 0 ? words.prompt : chip(tokenOf(tree, parent - 1))}</td>
    <td>${logarithm(tree.logProbabilities[row])}</td>
    <td>${logarithm(tree.sums[row])}</td>
    <td>${logarithm(tree.scores[row])}</td>
    <td>${texts.fates[tree.fates[row]]}</td>
  </tr>`;
}
