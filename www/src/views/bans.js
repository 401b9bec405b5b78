/** Banned tokens: found by text or id, chosen one by one, and listed. */

import { html, live, nothing } from "../../vendor/lit-html.js";
import { words as common } from "../words/common.js";
import { words } from "../words/settings.js";
import { info } from "./info.js";

/** @import { Actions } from "../actions.js" */
/** @import { BanLookup, State } from "../page-types.js" */

/** @param {State} state @param {Actions} actions */
export function bansView(state, actions) {
  const { controls, model, banLookup, tokenNames } = state;
  return html`<div class="bans" role="group" aria-labelledby="bans-title">
    <p class="ban-field">
      <label for="ban-text" id="bans-title">${words.ban}</label> ${info("bans")}
      <input
        type="text"
        class="field"
        id="ban-text"
        autocomplete="off"
        autocapitalize="off"
        spellcheck="false"
        aria-describedby="ban-help"
        .value=${live(banLookup?.text ?? "")}
        @input=${(/** @type {InputEvent & { target: HTMLInputElement }} */ { target }) => actions.typeBan(target.value)}
      />
    </p>
    <p class="muted" id="ban-help">${words.banHelp}</p>
    ${model && !model.hasTokenizer ? html`<p class="muted">${words.banById}</p>` : nothing}
    ${banLookup === null ? nothing : choices(banLookup, state, actions)}
    ${
      controls.suppress.length === 0
        ? nothing
        : html`<ul class="ban-list" aria-label=${words.banned}>
          ${controls.suppress.map((id) => {
            const { text, spoken = common.id(id) } = tokenNames[id] ?? {};
            const allow = () => {
              actions.toggleBan(id, spoken);
              document.getElementById("ban-text")?.focus();
            };
            return html`<li>
              ${text === undefined ? nothing : html`<code class="chip" aria-hidden="true">${text}</code>`}
              <span class="numbers">${common.id(id)}</span>
              <button type="button" class="quiet small" aria-label=${words.allowAgain(spoken)} @click=${allow}>
                ${words.allow}
              </button>
            </li>`;
          })}
        </ul>`
    }
  </div>`;
}

/** @param {BanLookup} lookup @param {State} state @param {Actions} actions */
function choices({ text, tokens }, { controls, model }, actions) {
  const found = tokens ? [...tokens.ids].map((id, n) => ({ id, text: tokens.text[n], spoken: tokens.spoken[n] })) : [];
  const distinct = found.filter(({ id }, n) => found.findIndex((other) => other.id === id) === n);
  const vocabulary = model?.card.vocabSize ?? 0;
  const typedId = /^\d{1,9}$/.test(text.trim()) ? Number(text) : null;
  const known = typedId !== null && typedId < vocabulary;
  const button = (/** @type {number} */ id, /** @type {string} */ spoken, /** @type {unknown} */ label) =>
    html`<button
      type="button"
      class="quiet small"
      aria-pressed=${controls.suppress.includes(id)}
      aria-label=${words.banToken(spoken)}
      @click=${() => actions.toggleBan(id, spoken)}
    >
      ${label}
    </button>`;
  return html`<p class="ban-choices" role="group" aria-label=${words.banChoices}>
    ${distinct.map(({ id, text, spoken }) =>
      button(id, common.withId(spoken, id), html`<code class="chip">${text}</code> ${common.id(id)}`),
    )}
    ${known && typedId !== null ? button(typedId, common.id(typedId), common.id(typedId)) : nothing}
    ${
      typedId !== null && !known && vocabulary > 0
        ? html`<span class="muted">${words.lastId(vocabulary - 1)}</span>`
        : nothing
    }
  </p>`;
}
