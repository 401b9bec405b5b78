/** The models: the one in use, the others, and a load at work. */

import { html, nothing } from "../../vendor/lit-html.js";
import { hasAddress } from "../url-state.js";
import { words as common } from "../words/common.js";
import { words } from "../words/models.js";
import { hidden } from "./hidden.js";

/** @import { Actions } from "../actions.js" */
/** @import { CatalogueEntry } from "../messages.js" */
/** @import { Load, State } from "../page-types.js" */

/** @param {State} state @param {Actions} actions */
export function modelsView(state, actions) {
  const { catalogue, model, loads, activeWorkerId, restarting } = state;
  const others = (catalogue?.models ?? []).filter(
    (entry) => entry.id !== model?.id && !loads.some((load) => load.entryId === entry.id),
  );
  const waiting = loads.filter((load) => model !== null || load.activate !== "always");
  const first = loads.find((load) => model === null && load.activate === "always");
  return html`
    <p class="model-active" id="active-model">
      <span class="label">${words.model}</span>
      <strong>${model?.title ?? first?.title ?? words.noneYet}</strong>
      ${restarting && activeWorkerId === null ? html`<span class="muted">${words.startingAgain}</span>` : nothing}
      ${first ? progress(first, actions) : nothing}
      ${
        model?.notKept
          ? html`<span class="muted" id="not-kept">${words.notKept(common.storeTroubles[model.notKept])}</span>`
          : nothing
      }
    </p>
    ${waiting.map((load) => (load.phase === "ready" ? offer(load, actions) : progress(load, actions)))}
    ${model === null && loads.length > 0 ? nothing : others.map((entry) => choice(entry, state, actions))}
  `;
}

/** @param {CatalogueEntry} entry @param {State} state @param {Actions} actions */
function choice(entry, { origins, model }, actions) {
  const bytes = Object.values(entry.files).reduce((sum, file) => sum + file.bytes, 0);
  const near = entry.bundled || origins[entry.id] === "store";
  const weights = entry.files["model.safetensors"]?.bytes ?? bytes;
  const label = near && model !== null ? words.switchToModel(entry.title) : words.load(entry.title, weights);
  return html`<button
    type="button"
    class="quiet"
    data-model=${entry.id}
    @click=${() => actions.choose(entry)}
  >
    ${label}</button
    >${origins[entry.id] === "hub" ? html`<span class="muted">${words.fromHub}</span>` : nothing}`;
}

/** @param {Load} load @param {Actions} actions */
function offer({ title, workerId, model }, actions) {
  const sound = model?.selfTest?.passed !== false;
  return html`<p class="model-offer" data-offer=${workerId}>
    ${sound ? words.isReady(title) : words.isWrong(title)}
    <button type="button" class="small" @click=${() => actions.switchTo(workerId)}>
      ${sound ? words.switch(hidden, title) : words.switchAllTheSame(hidden, title)}
    </button>
  </p>`;
}

/** @param {Load} load @param {Actions} actions */
function progress({ title, workerId, phase, loadedBytes, totalBytes, bytesPerSecond, retryInMs }, actions) {
  const known = totalBytes !== null && phase === "downloading";
  const stage =
    phase === "downloading" ? words.downloading(loadedBytes, totalBytes, bytesPerSecond) : words.phases[phase];
  return html`<span class="model-load" data-load=${workerId}>
    <span>${title}</span>
    <progress
      aria-label=${words.loading(title)}
      max=${known ? totalBytes : 1}
      value=${known ? loadedBytes : nothing}
    ></progress>
    <span class="muted numbers">${retryInMs === null ? stage : words.tryingAgain(retryInMs / 1000)}</span>
    <button type="button" class="quiet small" @click=${() => actions.giveUpLoad(workerId)}>
      ${words.cancel(hidden, title)}
    </button>
  </span>`;
}

/** @param {State} state @param {Actions} actions */
export function shareView({ copied, model }, actions) {
  const ok = copied?.what === "link" ? copied.ok : null;
  const done = hasAddress(model) ? words.linkCopied : words.linkCopiedWithoutModel;
  const label = ok === null ? words.copyLink : ok ? done : words.copyAddress;
  return html`<button type="button" class="quiet" id="copy-link" @click=${actions.copyLink}>${label}</button>`;
}
