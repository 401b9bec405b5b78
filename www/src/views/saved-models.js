/** The models of which this browser keeps a copy: what they take, whether they are sound, and how to be rid of them. */

import { html, nothing } from "../../vendor/lit-html.js";
import { count } from "../format.js";
import { words as common } from "../words/common.js";
import { words } from "../words/models.js";
import { hidden } from "./hidden.js";

/** @import { Actions } from "../actions.js" */
/** @import { ModelRecord } from "../models/store.js" */
/** @import { CopyCheck, State } from "../page-types.js" */

/** @param {State} state @param {Actions} actions */
export function savedModelsView({ saved, model }, actions) {
  const { models, trouble, usageBytes, quotaBytes, persisted } = saved;
  const room =
    usageBytes === null || quotaBytes === null
      ? nothing
      : html`<p class="muted">${words.room(usageBytes, quotaBytes, persisted === true)}</p>`;
  return html`<details class="model-card" id="saved-models" @toggle=${actions.refreshSaved}>
    <summary>${words.saved}${models === null ? nothing : html` <span class="muted">${count(models.length)}</span>`}</summary>
    ${trouble ? html`<p>${words.noneKept(common.storeTroubles[trouble])}</p>` : nothing}
    ${
      models?.length === 0 && !trouble
        ? html`<p>${words.noneSaved}</p>`
        : nothing
    }
    ${models?.map((record) => savedView(record, saved, record.id === model?.id, actions))} ${room}
  </details>`;
}

/** @param {ModelRecord} record @param {State["saved"]} saved @param {boolean} inUse @param {Actions} actions */
function savedView({ id, title, files, savedMs }, { checks, confirming }, inUse, actions) {
  const check = checks[id];
  const bytes = Object.values(files).reduce((total, file) => total + file.bytes, 0);
  const checking = check?.state === "checking";
  return html`<section class="saved-model" data-saved=${id} aria-label=${title}>
    <h3>${title}</h3>
    <p class="muted">${words.keptOn(bytes, savedMs, inUse)}</p>
    <div class="scroll-x" tabindex="0" role="group" aria-label=${words.keptFiles(title)}>
      <table class="files">
        <thead>
          <tr>
              <th scope="col">${words.columns.file}</th>
              <th scope="col">${words.columns.bytes}</th>
              <th scope="col">${words.columns.sha256}</th>
            </tr>
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
        ? html`<p class="buttons" role="group" aria-label=${words.askDelete(title)}>
            ${words.deleteQuestion(bytes, inUse)}
            <button type="button" id="delete-copy" @click=${() => deleted(id, title, actions)}>
              ${words.delete(hidden, title)}
            </button>
            <button type="button" class="quiet" @click=${() => ask(null, id, actions)}>${words.keep(hidden, title)}</button>
          </p>`
        : html`<p class="buttons">
            <button
              type="button"
              aria-disabled=${checking}
              @click=${() => checking || actions.verifySaved(id, title)}
            >
              ${words.verify(hidden, title)}
            </button>
            <button type="button" class="quiet" data-ask @click=${() => ask(id, id, actions)}>${words.deleteAfterAsking(hidden, title)}</button>
            ${check ? html`<span class="numbers" data-check=${check.state}>${checkWords(check)}</span>` : nothing}
          </p>`
    }
  </section>`;
}

/** @param {CopyCheck} check */
function checkWords(check) {
  switch (check.state) {
    case "checking":
      return words.verifying(check.share);
    case "sound":
      return words.sound;
    case "damaged":
      return words.damaged(check.file);
    case "failed":
      return words.notVerified;
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
