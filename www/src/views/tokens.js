/** The prompt as tokens: one tab stop, arrows move inside, Enter shows the model's prediction after a token. */

import { html, nothing } from "../../vendor/lit-html.js";
import { milliseconds, plural } from "../format.js";
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
      ? "This model came without a tokenizer, so it takes token ids only (in the console, logitLab.generate)."
      : prompt === ""
        ? "A prompt needs at least one token to go on from."
        : "";
  return html`
    <div class="panel-line">
      <h3>Tokens <span class="muted numbers">${tokens ? total : ""}</span></h3>
      ${info("token")}
      <span class="muted numbers">${tokenizeMs === null ? nothing : milliseconds(tokenizeMs)}</span>
      <label class="switch"
        ><input type="checkbox" id="show-ids" .checked=${showIds} @change=${actions.toggleIds} /> ids</label
      >
    </div>
    <div
      class="token-strip"
      id="tokens"
      role="listbox"
      aria-orientation="horizontal"
      aria-label=${`${plural(total, "prompt token")}; Enter shows the prediction after one`}
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
              aria-label=${`${tokens.spoken[position]}, id ${id}`}
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
