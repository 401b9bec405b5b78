/** What was checked of the model in use: its arithmetic, its tokenizer, and its memory. */

import { html, nothing } from "../../vendor/lit-html.js";
import { plural, size } from "../format.js";
import { tokenizerFit } from "../models/checks.js";

/** @import { Catalogue, LoadedModel } from "../messages.js" */

/** @param {LoadedModel} model @param {Catalogue | null} catalogue */
export function checksView(model, catalogue) {
  const { memoryNeed } = model.card;
  const fit = tokenizerFit(model, catalogue);
  return html`<dl class="checks" id="checks">
    <dt>Does this browser compute as it should?</dt>
    <dd id="self-test">${selfTestWords(model)}</dd>
    <dt>Do tokenizer and model belong together?</dt>
    <dd id="tokenizer-fit" class=${fit.verdict === "foreign" ? "warning" : nothing}>${fit.sentence}</dd>
    ${memoryNeed === null ? nothing : html`<dt>Does it fit into memory?</dt><dd id="memory-need">${memoryWords(memoryNeed)}</dd>`}
  </dl>`;
}

/** @param {LoadedModel} model */
function selfTestWords({ selfTest }) {
  if (selfTest === null) return "Not checked: no scores of these weights are known beforehand.";
  const { passed, tokens, tolerance, largestDifference } = selfTest;
  const what = `a prompt of ${plural(tokens, "token")} whose scores are known`;
  if (!passed) return `No: on ${what} it gave others, up to ${largestDifference.toPrecision(3)} from them.`;
  return tolerance === null
    ? `This browser computes as it should: checked on ${what}, every bit is right.`
    : `This browser computes as it should: checked on ${what}; they differ by ${largestDifference.toPrecision(2)} at most, of ${tolerance} allowed for this engine and precision.`;
}

/** @param {NonNullable<LoadedModel["card"]["memoryNeed"]>} need */
function memoryWords({ totalBytes, weightBytes, kvCacheBytes, tokenizerBytes, workBytes, limitBytes }) {
  return `At most ${size(totalBytes)} with the context full, of ${size(limitBytes)} that there may be: ${size(weightBytes)} for the weights, ${size(kvCacheBytes)} for the KV cache, ${size(tokenizerBytes)} for the tokenizer, ${size(workBytes)} for the work.`;
}
