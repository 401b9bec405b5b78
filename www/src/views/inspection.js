/** What the model predicted after one prompt token, what really followed, and the shapes on the way there. */

import { html, nothing } from "../../vendor/lit-html.js";
import { count, percent } from "../format.js";
import { words as common } from "../words/common.js";
import { words } from "../words/prompt.js";

/** @import { Actions } from "../actions.js" */
/** @import { Distribution, Shape } from "../protocol.js" */
/** @import { State } from "../page-types.js" */

/** @param {State} state @param {Actions} actions */
export function inspectionView({ inspection, tokens }, actions) {
  if (!inspection || !tokens) return nothing;
  const { position, result } = inspection;
  const close = () => {
    actions.closeInspection();
    // Back to the token that it was about.
    /** @type {HTMLElement | null} */ (document.querySelector("#tokens [tabindex='0']"))?.focus();
  };
  const token = html`<code class="chip ${tokens.kind[position]}">${tokens.text[position]}</code>`;
  return html`<section
    class="inspection"
    id="inspection"
    aria-labelledby="inspection-title"
    @keydown=${(/** @type {KeyboardEvent} */ { key }) => key === "Escape" && close()}
  >
    <div class="panel-line">
      <h3 id="inspection-title">
        ${words.expectedAfter(position + 1, token)}
      </h3>
      <button type="button" class="quiet small" @click=${close}>${words.close}</button>
    </div>
    ${result ? body(result.distribution, result.nextId, result.shapes) : html`<p class="muted">${common.computing}</p>`}
  </section>`;
}

/** @param {Distribution} distribution @param {number | null} nextId @param {Shape[]} shapes */
function body(distribution, nextId, shapes) {
  const { tokens, baseProbabilities } = distribution;
  const rows = Array.from(tokens.ids).slice(0, 5);
  return html`
    <ol class="mini-bars">
      ${rows.map(
        (id, row) => html`<li class=${id === nextId ? "followed" : ""}>
          <code class="chip ${tokens.kind[row]}" aria-hidden="true">${tokens.text[row]}</code>
          <span class="visually-hidden">${tokens.spoken[row]}</span>
          <span class="track" aria-hidden="true"
            ><span class="bar model" style=${`transform: scaleX(${baseProbabilities[row]})`}></span
          ></span>
          <span class="numbers">${percent(baseProbabilities[row])}</span>
          <span class="tag-slot">${id === nextId ? html`<span class="tag">${words.followed}</span>` : nothing}</span>
        </li>`,
      )}
    </ol>
    <p>${followed(distribution, nextId)}</p>
    <p class="label">${words.shapes}</p>
    <ol class="shapes">
      ${shapes.map(
        ({ name, dimensions }) => html`<li>
          <span>${shapeName(name)}</span> <code>${`[${dimensions.map(count).join(", ")}]`}</code>
        </li>`,
      )}
    </ol>
  `;
}

/** @param {string} name as the engine has it */
function shapeName(name) {
  const [, blocks] = /^hidden states after (\d+) blocks$/.exec(name) ?? [];
  return blocks === undefined ? (words.shapeNames[name] ?? name) : words.hiddenStates(blocks);
}

/** @param {Distribution} distribution @param {number | null} nextId */
function followed({ tokens, ranks, baseProbabilities, vocabulary }, nextId) {
  if (nextId === null) return words.lastToken;
  const row = tokens.ids.indexOf(nextId);
  if (row < 0) return words.notAmongRows(nextId);
  const token = html`<code class="chip ${tokens.kind[row]}">${tokens.text[row]}</code>`;
  return words.rankOfFollowed(token, ranks[row] + 1, vocabulary, baseProbabilities[row]);
}
