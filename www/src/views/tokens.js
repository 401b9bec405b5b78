/** The prompt as tokens: one tab stop, arrows move inside, Enter shows the model's prediction after a token. */

import { html, nothing } from "../../vendor/lit-html.js";
import { milliseconds } from "../format.js";
import { words as common } from "../words/common.js";
import { words } from "../words/prompt.js";
import { info } from "./info.js";

/** @import { Actions } from "../actions.js" */
/** @import { State } from "../page-types.js" */

/** @param {State} state @param {Actions} actions */
export function tokensView(
  { model, prompt, tokens, tokenizeMs, showIds, focusedToken, inspection },
  actions,
) {
  const total = tokens?.ids.length ?? 0;
  const why =
    model?.hasTokenizer === false
      ? words.noTokenizer
      : prompt === ""
        ? words.empty
        : "";
  return html`
    <div class="panel-line">
      <h3>${words.tokens} <span class="muted numbers">${tokens ? total : ""}</span></h3>
      ${info("token")}
      <span class="muted numbers">${tokenizeMs === null ? nothing : milliseconds(tokenizeMs)}</span>
      <label class="switch"
        ><input type="checkbox" id="show-ids" .checked=${showIds} @change=${actions.toggleIds} /> ${words.ids}</label
      >
    </div>
    <div
      class="token-strip"
      id="tokens"
      role="listbox"
      aria-orientation="horizontal"
      aria-label=${words.stripLabel(total)}
      @keydown=${(/** @type {KeyboardEvent} */ event) => moveFocus(event, total, actions)}
    >
      ${
        tokens
          ? Array.from(tokens.ids, (id, position) => {
              const selected = inspection?.position === position;
              return html`<span
              role="option"
              class="chip ${tokens.kind[position]}"
              tabindex=${position === Math.min(focusedToken, total - 1) ? 0 : -1}
              aria-selected=${selected}
              aria-label=${common.withId(tokens.spoken[position], id)}
              @click=${() => actions.inspect(position)}
              @focus=${() => actions.focusToken(position)}
              >${tokens.text[position]}${showIds ? html`<small>${id}</small>` : nothing}</span
            >`;
            })
          : nothing
      }
    </div>
    <p class="muted" id="no-tokens" ?hidden=${why === ""}>${why}</p>
  `;
}

/** @param {KeyboardEvent} event @param {number} total @param {Actions} actions */
function moveFocus(event, total, actions) {
  const options = /** @type {HTMLElement} */ (event.currentTarget).querySelectorAll('[role="option"]');
  const position = Array.from(options).indexOf(/** @type {Element} */ (event.target));
  if (position < 0) return;
  /** @type {Record<string, number>} */
  const targets = { ArrowLeft: position - 1, ArrowRight: position + 1, Home: 0, End: total - 1 };
  const target = targets[event.key];
  if (event.key === "Enter" || event.key === " ") actions.inspect(position);
  else if (event.key === "Escape") actions.closeInspection();
  else if (target === undefined) return;
  event.preventDefault();
  if (target !== undefined) /** @type {HTMLElement | undefined} */ (options[target])?.focus();
}
