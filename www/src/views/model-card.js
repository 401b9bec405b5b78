/** What is loaded: configuration, bytes, digests, licence and what the loader did. */

import { html, nothing } from "../../vendor/lit-html.js";
import { count, milliseconds, size, storeTroubles } from "../format.js";
import { checksView } from "./checks.js";
import { engineChoiceView } from "./engine-choice.js";

/** @import { Actions } from "../actions.js" */
/** @import { LoadedModel } from "../messages.js" */
/** @import { State } from "../page-types.js" */

const origins = {
  host: "this page's own host",
  hub: "the Hugging Face hub",
  store: "a copy kept by this browser",
  folder: "a folder by its address",
  files: "files of yours",
};

const checks = {
  equal: "as published",
  different: "differs from the published file",
  unknown: "no published digest",
};

const simdLevels = { baseline: "exact", relaxed: "relaxed: the last digits may differ elsewhere" };

/** @param {State} state @param {Actions} actions */
export function modelCardView(state, actions) {
  const { model, catalogue } = state;
  if (!model) return nothing;
  const entry = catalogue?.models.find(({ id }) => id === model.id);
  const { card } = model;
  const cardUrl = entry && !/^javascript:/i.test(entry.card) ? entry.card : null;
  return html`<details class="model-card" id="model-card">
    <summary>About ${model.title}</summary>
    ${entry ? html`<p>${entry.about}</p>` : nothing}
    ${model.warnings.map((warning) => html`<p class="warning">${warning}</p>`)}
    <div class="card-columns">
      <dl>
        ${row("Blocks", card.numHiddenLayers)} ${row("Residual width", card.hiddenSize)}
        ${row("Attention heads", card.numAttentionHeads)} ${row("MLP width", card.intermediateSize)}
        ${row("Context", `${count(card.maxPositionEmbeddings)} tokens`)}
        ${row("Rotary dimensions", `${card.rotaryDimensions} of ${card.hiddenSize / card.numAttentionHeads} a head`)}
        ${row("Activation", card.hiddenAct)}
        ${row("Residual", card.useParallelResidual ? "attention and MLP in parallel" : "one after the other")}
        ${row("Embeddings", card.tieWordEmbeddings ? "tied to the head" : "apart from the head")}
        ${row("Parameters", card.parameters)}
      </dl>
      <dl>
        ${row("Vocabulary", `${count(card.vocabSize)} rows in the model`)}
        ${row("Tokenizer", card.tokenizerEntries === null ? "none" : `${count(card.tokenizerEntries)} entries`)}
        ${row("End-of-text id", card.eosTokenId ?? "none")} ${row("Weights", `${count(card.report.bytes)} bytes`)}
        ${row("Stored as", card.report.dtypes.join(", "))}
        ${row("Computed as", `${card.precision}, ${card.kernel} kernel, ${simdLevels[card.simd]}`)}
        ${row("KV cache", card.kvCache)}
        ${row("Revision", model.revision ?? (entry?.bundled ? "as shipped with this page" : "not known"))}
        ${row("From", origins[model.origin])}
        ${row("Kept for next time", keptWords(model, entry?.bundled))} ${row("Licence", model.licence ?? "not known")}
        ${row("Fetching", milliseconds(model.timingsMs.download))}
        ${row("Decoding and checking", milliseconds(model.timingsMs.digest))}
        ${row("Loading into memory", milliseconds(model.timingsMs.load))}
      </dl>
    </div>
    ${engineChoiceView(state, actions)} ${checksView(model, catalogue)} ${filesView(model)} ${reportView(model)}
    ${cardUrl ? html`<p><a href=${cardUrl} rel="noopener">Model card and licence</a></p>` : nothing}
  </details>`;
}

/** @param {LoadedModel} model @param {boolean} [bundled] */
function keptWords({ kept, notKept }, bundled = false) {
  if (kept) return "yes";
  if (bundled) return "with the page";
  return notKept === null ? "no" : `no: ${storeTroubles[notKept]}`;
}

/** @param {string} name @param {string | number} value */
function row(name, value) {
  return html`<div><dt>${name}</dt><dd class="numbers">${typeof value === "number" ? count(value) : value}</dd></div>`;
}

/** @param {LoadedModel} model */
function filesView({ files }) {
  return html`<div class="scroll-x" tabindex="0" role="group" aria-label="Files of the model">
  <table class="files">
    <caption>Files and their SHA-256</caption>
    <thead>
      <tr><th scope="col">File</th><th scope="col">Bytes</th><th scope="col">Digest</th></tr>
    </thead>
    <tbody>
      ${files.map(
        ({ name, bytes, sha256, check }) =>
          html`<tr>
            <th scope="row">${name}</th>
            <td class="numbers">${count(bytes)}</td>
            <td><code>${sha256}</code> ${checks[check]}</td>
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
      ${count(tensors)} tensors read, ${count(ignored.length)} ignored, ${count(converted.length)} converted. Weights
      take ${size(card.memory.weightBytes)} of memory.
    </p>
    ${
      ignored.length + converted.length === 0
        ? nothing
        : html`<details>
          <summary>Each of them</summary>
          <ul class="report">
            ${ignored.map(({ name, reason }) => html`<li><code>${name}</code> ignored: ${reason}</li>`)}
            ${converted.map(({ name, from, to }) => html`<li><code>${name}</code> ${from} → ${to}</li>`)}
          </ul>
        </details>`
    }`;
}
