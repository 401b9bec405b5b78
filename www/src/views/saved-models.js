/** The models of which this browser keeps a copy: what they take, whether they are sound, and how to be rid of them. */

import { html, nothing } from "../../vendor/lit-html.js";
import { count, size, storeTroubles } from "../format.js";

/** @import { Actions } from "../actions.js" */
/** @import { ModelRecord } from "../models/store.js" */
/** @import { CopyCheck, State } from "../page-types.js" */

/** @param {State} state @param {Actions} actions */
export function savedModelsView({ saved, model }, actions) {
  const { models, trouble, usageBytes, quotaBytes, persisted } = saved;
  const room =
    usageBytes === null || quotaBytes === null
      ? nothing
      : html`<p class="muted">
          This page keeps ${size(usageBytes)} in all; the browser allows it ${size(quotaBytes)}.
          ${persisted ? "The browser keeps it until you delete it." : "The browser may clear it when the disk fills."}
        </p>`;
  return html`<details class="model-card" id="saved-models" @toggle=${actions.refreshSaved}>
    <summary>Saved models${models === null ? nothing : html` <span class="muted">${count(models.length)}</span>`}</summary>
    ${trouble ? html`<p>No model can be kept: ${storeTroubles[trouble]}. Models run from memory all the same.</p>` : nothing}
    ${
      models?.length === 0 && !trouble
        ? html`<p>None. A model that you load from elsewhere is kept here for the next visit.</p>`
        : nothing
    }
    ${models?.map((record) => savedView(record, saved, record.id === model?.id, actions))} ${room}
  </details>`;
}

/** @param {ModelRecord} record @param {State["saved"]} saved @param {boolean} inUse @param {Actions} actions */
function savedView({ id, title, files, savedMs }, { checks, confirming }, inUse, actions) {
  const check = checks[id];
  const bytes = Object.values(files).reduce((total, file) => total + file.bytes, 0);
  const when = new Date(savedMs).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
  const of = html`<span class="visually-hidden"> the copy of ${title}</span>`;
  const checking = check?.state === "checking";
  return html`<section class="saved-model" data-saved=${id} aria-label=${title}>
    <h3>${title}</h3>
    <p class="muted">${size(bytes)}, kept on ${when}${inUse ? "; in use" : ""}</p>
    <div class="scroll-x" tabindex="0" role="group" aria-label=${`Kept files of ${title}`}>
      <table class="files">
        <thead>
          <tr><th scope="col">File</th><th scope="col">Bytes</th><th scope="col">SHA-256</th></tr>
        </thead>
        <tbody>
          ${Object.entries(files).map(
            ([name, file]) =>
              html`<tr>
                <th scope="row">${name}</th>
                <td class="numbers">${count(file.bytes)}</td>
                <td><code>${file.sha256}</code></td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
    ${
      confirming === id
        ? html`<p class="buttons" role="group" aria-label=${`Delete the copy of ${title}?`}>
            Delete ${size(bytes)}? ${inUse ? "The model in use goes on." : "It can be fetched again."}
            <button type="button" id="delete-copy" @click=${() => deleted(id, title, actions)}>
              Delete${of}
            </button>
            <button type="button" class="quiet" @click=${() => ask(null, id, actions)}>Keep${of}</button>
          </p>`
        : html`<p class="buttons">
            <button
              type="button"
              aria-disabled=${checking}
              @click=${() => checking || actions.verifySaved(id, title)}
            >
              Verify${of}
            </button>
            <button type="button" class="quiet" data-ask @click=${() => ask(id, id, actions)}>Delete…${of}</button>
            ${check ? html`<span class="numbers" data-check=${check.state}>${checkWords(check)}</span>` : nothing}
          </p>`
    }
  </section>`;
}

/** @param {CopyCheck} check */
function checkWords(check) {
  switch (check.state) {
    case "checking":
      return `verifying, ${Math.floor(check.share * 100)} %`;
    case "sound":
      return "sound: every file has its size and SHA-256";
    case "damaged":
      return `${check.file || "a file"} is damaged: it is fetched again when the model is next loaded`;
    case "failed":
      return "could not be verified: the engine's code did not start";
  }
}

/** The focus goes where the next decision is. @param {string | null} asked @param {string} id @param {Actions} actions */
function ask(asked, id, actions) {
  actions.askToDelete(asked);
  const next = asked === null ? `[data-saved="${CSS.escape(id)}"] [data-ask]` : "#delete-copy";
  requestAnimationFrame(() => /** @type {HTMLElement | null} */ (document.querySelector(next))?.focus());
}

/** @param {string} id @param {string} title @param {Actions} actions */
async function deleted(id, title, actions) {
  await actions.deleteSaved(id, title);
  /** @type {HTMLElement | null} */ (document.querySelector("#saved-models > summary"))?.focus();
}
