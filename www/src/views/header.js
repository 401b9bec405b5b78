/** The models: the one in use, the others, and a load at work. */

import { html, nothing } from "../../vendor/lit-html.js";
import { duration, size, storeTroubles } from "../format.js";
import { hasAddress } from "../url-state.js";

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
      <span class="label">Model</span>
      <strong>${model?.title ?? first?.title ?? "none yet"}</strong>
      ${restarting && activeWorkerId === null ? html`<span class="muted">starting again…</span>` : nothing}
      ${first ? progress(first, actions) : nothing}
      ${
        model?.notKept
          ? html`<span class="muted" id="not-kept">Not kept for the next visit: ${storeTroubles[model.notKept]}.</span>`
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
  const label =
    near && model !== null ? `Switch to ${entry.title}` : `Load ${entry.title}, ${megabytes(weights)}`;
  const where = origins[entry.id] === "hub" ? "From the Hugging Face hub. " : "";
  return html`<button
    type="button"
    class="quiet"
    data-model=${entry.id}
    title=${`${where}${entry.about}`}
    @click=${() => actions.choose(entry)}
  >
    ${label}
  </button>`;
}

/** @param {number} bytes */
const megabytes = (bytes) => `${Math.round(bytes / 1e6)} MB`;

/** @param {Load} load @param {Actions} actions */
function offer({ title, workerId, model }, actions) {
  const sound = model?.selfTest?.passed !== false;
  return html`<p class="model-offer" data-offer=${workerId}>
    ${title} ${sound ? "is ready." : "is computed wrongly here."}
    <button type="button" class="small" @click=${() => actions.switchTo(workerId)}>
      ${sound ? "Switch" : "Switch all the same"}<span class="visually-hidden"> to ${title}</span>
    </button>
  </p>`;
}

/** @param {Load} load @param {Actions} actions */
function progress({ title, workerId, phase, loadedBytes, totalBytes, bytesPerSecond, retryInMs }, actions) {
  const known = totalBytes !== null && phase === "downloading";
  const rate = bytesPerSecond ? `, ${size(bytesPerSecond)}/s` : "";
  const left =
    bytesPerSecond && totalBytes ? `, ${duration((totalBytes - loadedBytes) / bytesPerSecond)} left` : "";
  const words = {
    starting: "starting",
    downloading: `${size(loadedBytes)}${totalBytes === null ? "" : ` of ${size(totalBytes)}`}${rate}${left}`,
    checking: "checking the file",
    ready: "ready",
  };
  return html`<span class="model-load" data-load=${workerId}>
    <span>${title}</span>
    <progress
      aria-label=${`Loading ${title}`}
      max=${known ? totalBytes : 1}
      value=${known ? loadedBytes : nothing}
    ></progress>
    <span class="muted numbers">${retryInMs === null ? words[phase] : `trying again in ${duration(retryInMs / 1000)}`}</span>
    <button type="button" class="quiet small" @click=${() => actions.giveUpLoad(workerId)}>
      Cancel<span class="visually-hidden"> loading ${title}</span>
    </button>
  </span>`;
}

/** @param {State} state @param {Actions} actions */
export function shareView({ copied, model }, actions) {
  const ok = copied?.what === "link" ? copied.ok : null;
  const done = hasAddress(model) ? "Link copied" : "Link copied, without the model";
  const label = ok === null ? "Copy link" : ok ? done : "Copy the address bar";
  return html`<button type="button" class="quiet" id="copy-link" @click=${actions.copyLink}>${label}</button>`;
}
