/** What is loaded: configuration, bytes, digests, licence and what the loader did. */

import { html, nothing } from "../../vendor/lit-html.js";
import { count, milliseconds } from "../format.js";
import { words as common } from "../words/common.js";
import { words } from "../words/models.js";
import { checksView } from "./checks.js";
import { engineChoiceView } from "./engine-choice.js";

/** @import { Actions } from "../actions.js" */
/** @import { LoadedModel } from "../messages.js" */
/** @import { State } from "../page-types.js" */

/** @param {State} state @param {Actions} actions */
export function modelCardView(state, actions) {
  const { model, catalogue } = state;
  if (!model) return nothing;
  const entry = catalogue?.models.find(({ id }) => id === model.id);
  const { card } = model;
  const { card: names } = words;
  const cardUrl = entry && !/^javascript:/i.test(entry.card) ? entry.card : null;
  return html`<details class="model-card" id="model-card">
    <summary>${words.about(model.title)}</summary>
    ${entry ? html`<p>${entry.about}</p>` : nothing}
    ${model.warnings.map((warning) => html`<p class="warning">${warning}</p>`)}
    <div class="card-columns">
      <dl>
        ${row(names.blocks, card.numHiddenLayers)} ${row(names.residualWidth, card.hiddenSize)}
        ${row(names.attentionHeads, card.numAttentionHeads)} ${row(names.mlpWidth, card.intermediateSize)}
        ${row(names.context, words.tokens(card.maxPositionEmbeddings))}
        ${row(names.rotaryDimensions, words.ofAHead(card.rotaryDimensions, card.hiddenSize / card.numAttentionHeads))}
        ${row(names.activation, card.hiddenAct)}
        ${row(names.residual, card.useParallelResidual ? words.parallel : words.inSequence)}
        ${row(names.embeddings, card.tieWordEmbeddings ? words.tied : words.untied)}
        ${row(names.parameters, card.parameters)}
      </dl>
      <dl>
        ${row(names.vocabulary, words.rowsInModel(card.vocabSize))}
        ${row(names.tokenizer, card.tokenizerEntries === null ? words.none : words.entries(card.tokenizerEntries))}
        ${row(names.endOfTextId, card.eosTokenId ?? words.none)} ${row(names.weights, words.bytes(card.report.bytes))}
        ${row(names.storedAs, card.report.dtypes.join(", "))}
        ${row(names.computedAs, words.computedAs(card.precision, card.kernel, card.simd))}
        ${row(names.kvCache, card.kvCache)}
        ${row(names.revision, model.revision ?? (entry?.bundled ? words.shipped : words.notKnown))}
        ${row(names.from, words.origins[model.origin])}
        ${row(names.kept, keptWords(model, entry?.bundled))} ${row(names.licence, model.licence ?? words.notKnown)}
        ${row(names.fetching, milliseconds(model.timingsMs.download))}
        ${row(names.decoding, milliseconds(model.timingsMs.digest))}
        ${row(names.loading, milliseconds(model.timingsMs.load))}
      </dl>
    </div>
    ${engineChoiceView(state, actions)} ${checksView(model, catalogue)} ${filesView(model)} ${reportView(model)}
    ${cardUrl ? html`<p><a href=${cardUrl} rel="noopener">${words.cardAndLicence}</a></p>` : nothing}
  </details>`;
}

/** @param {LoadedModel} model @param {boolean} [bundled] */
function keptWords({ kept, notKept }, bundled = false) {
  if (kept) return words.keptHere;
  if (bundled) return words.keptWithPage;
  return notKept === null ? words.keptNowhere : words.notKeptBecause(common.storeTroubles[notKept]);
}

/** @param {string} name @param {string | number} value */
function row(name, value) {
  return html`<div><dt>${name}</dt><dd class="numbers">${typeof value === "number" ? count(value) : value}</dd></div>`;
}

/** @param {LoadedModel} model */
function filesView({ files }) {
  return html`<div class="scroll-x" tabindex="0" role="group" aria-label=${words.filesOfModel}>
  <table class="files">
    <caption>${words.filesCaption}</caption>
    <thead>
      <tr>
        <th scope="col">${words.columns.file}</th>
        <th scope="col">${words.columns.bytes}</th>
        <th scope="col">${words.columns.digest}</th>
      </tr>
    </thead>
    <tbody>
      ${files.map(
        ({ name, bytes, sha256, check }) =>
          html`<tr>
            <th scope="row">${name}</th>
            <td class="numbers">${count(bytes)}</td>
            <td><code>${sha256}</code> ${words.digests[check]}</td>
          </tr>`,
      )}
    </tbody>
  </table>
</div>`;
}

/** @param {LoadedModel} model */
function reportView({ card }) {
  const { tensors, ignored, converted } = card.report;
  return html`<p>
      ${words.report(tensors, ignored.length, converted.length, card.memory.weightBytes)}
    </p>
    ${
      ignored.length + converted.length === 0
        ? nothing
        : html`<details>
          <summary>${words.eachOfThem}</summary>
          <ul class="report">
            ${ignored.map(({ name, reason }) => html`<li>${words.ignored(html`<code>${name}</code>`, reason)}</li>`)}
            ${converted.map(({ name, from, to }) => html`<li>${words.converted(html`<code>${name}</code>`, from, to)}</li>`)}
          </ul>
        </details>`
    }`;
}
