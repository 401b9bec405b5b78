/** Beam search: its controls, its tree, and its steps as a table. */

import { html, nothing } from "../../vendor/lit-html.js";
import { beamSentence, beamTree, fateWords, tokenOf } from "../beam-tree.js";
import { mostBeams, readBeamFields } from "../beams.js";
import { isOfPresent } from "../branches.js";
import { count } from "../format.js";
import { logarithm } from "../tree-node.js";
import { choiceField, typedField } from "./fields.js";
import { chip, treeView } from "./tree-list.js";
import { tableHead } from "./table.js";

/** @import { BeamActions } from "../beam-actions.js" */
/** @import { State } from "../page-types.js" */
/** @import { BeamTree } from "../protocol.js" */
/** @import { BeamFields } from "../text-types.js" */

/** @param {State} state @param {BeamActions} actions */
export function beamsView(state, actions) {
  const { beams } = state;
  const current = isOfPresent(state, beams);
  const shown = current ? beams : { ...beams, tree: null, sequences: null, greedy: null };
  return html`
    <p>
      Beam search draws nothing: at each step it looks at all ways to go on from its beams and keeps the texts that are
      likeliest as a whole. The sampling settings do not act on it; one beam is greedy decoding.
    </p>
    ${controlsView(state, actions)}
    <p id="beams-sentence" class="numbers">${beamSentence(shown)}</p>
    <div class="scroll-y" id="beams-tree" tabindex="0" role="group" aria-label="Beams">
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
  const select = (/** @type {keyof BeamFields} */ name, /** @type {string} */ label, /** @type {string[][]} */ choices) =>
    html`<label
      >${label}
      ${choiceField({
        id: `beam-${name}`,
        options: choices.map(([value, label]) => ({ value, label })),
        value: fields[name],
        choose: (value) => actions.setBeamField(name, value),
      })}</label
    >`;
  const field = (/** @type {keyof BeamFields} */ name, /** @type {string} */ label) =>
    html`<label
      >${label}
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
      ${select("beams", "Beams", numbers(mostBeams))}
      ${select("numReturn", "Texts returned", numbers(Number(fields.beams)))}
      ${field("maxNewTokens", "New tokens, at most")} ${field("lengthPenalty", "Length penalty")}
      ${select("earlyStopping", "Ends early", [
        ["false", "when a better text is unlikely"],
        ["true", "with enough finished texts"],
        ["never", "when no better text is possible"],
      ])}
      <button type="button" class="primary" id="run-beams" ?disabled=${!ready} aria-disabled=${runId === null ? nothing : "true"} @click=${actions.runBeams}>
        Run beam search
      </button>
      <button type="button" id="stop-beams" aria-disabled=${runId === null ? "true" : nothing} @click=${actions.stopBeams}>
        Stop<span class="visually-hidden"> beam search</span>
      </button>
    </div>
    <p class=${"fault" in read ? "fault" : "no-fault"} id="beam-fault">${"fault" in read ? read.fault : nothing}</p>
  `;
}

/** @param {BeamTree} tree */
function tableView(tree) {
  return html`<details id="beams-table">
    <summary>Step by step</summary>
    <div class="scroll-y" tabindex="0" role="group" aria-label="All continuations">
      <table class="lab-table numbers" aria-label="Continuations that were looked at">
        ${tableHead(["Token", "Text", "After", "Log-probability, nats", "Sum, nats", "Score", "What became of it"])}
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
    <td>${parent === 0 ? "the prompt" : chip(tokenOf(tree, parent - 1))}</td>
    <td>${logarithm(tree.logProbabilities[row])}</td>
    <td>${logarithm(tree.sums[row])}</td>
    <td>${logarithm(tree.scores[row])}</td>
    <td>${fateWords[tree.fates[row]]}</td>
  </tr>`;
}
