/** What was checked of the model in use: its arithmetic, its tokenizer, and its memory. */

import { html, nothing } from "../../vendor/lit-html.js";
import { tokenizerFit } from "../models/checks.js";
import { words } from "../words/models.js";

/** @import { Catalogue, LoadedModel } from "../messages.js" */

/** @param {LoadedModel} model @param {Catalogue | null} catalogue */
export function checksView(model, catalogue) {
  const { memoryNeed } = model.card;
  const fit = tokenizerFit(model, catalogue);
  return html`<dl class="checks" id="checks">
    <dt>${words.checks.computes}</dt>
    <dd id="self-test">${selfTestWords(model)}</dd>
    <dt>${words.checks.belongs}</dt>
    <dd id="tokenizer-fit" class=${fit.verdict === "foreign" ? "warning" : nothing}>${fit.sentence}</dd>
    ${memoryNeed === null ? nothing : html`<dt>${words.checks.fits}</dt><dd id="memory-need">${words.memoryNeed(memoryNeed)}</dd>`}
  </dl>`;
}

/** @param {LoadedModel} model */
function selfTestWords({ selfTest }) {
  if (selfTest === null) return words.notChecked;
  const { passed, tokens, tolerance, largestDifference } = selfTest;
  if (!passed) return words.wrong(tokens, largestDifference);
  return tolerance === null ? words.everyBit(tokens) : words.within(tokens, largestDifference, tolerance);
}
