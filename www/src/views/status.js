/** Where the run is: tokenize, prefill, decode, text; with what each took, as the engine measured it. */

import { html, nothing } from "../../vendor/lit-html.js";
import { milliseconds, size } from "../format.js";
import { countSteps } from "../text-blocks.js";
import { words } from "../words/status.js";
import { info } from "./info.js";

/** @import { State } from "../page-types.js" */

/** @param {State} state */
export function statusView(state) {
  const { tokens, tokenizeMs, prefill, text, stage, slowStep, model, memory } = state;
  const made = text ? countSteps(text.blocks) : 0;
  const inContext = (tokens?.ids.length ?? 0) + (text?.stale ? 0 : made);
  const { stages } = words;
  return html`
    <h2 class="visually-hidden">${words.heading}</h2>
    <ol class="stages" id="stages">
      ${stageItem("tokenize", stages.tokenize, stage, tokens ? words.tokens(tokens.ids.length) : words.none, time(tokenizeMs))}
      ${stageItem(
        "prefill",
        html`${stages.prefill} ${info("prefill")}`,
        stage,
        prefill ? words.prefillCounts(prefill.tokens, prefill.reusedTokens) : words.none,
        time(prefill?.ms ?? null),
      )}
      ${stageItem(
        "decode",
        html`${stages.decode} ${info("decode")}`,
        stage,
        made > 0 ? words.decodeSteps(made - 1, text?.uncached === true) : words.none,
        speed(text?.decodeSteps ?? 0, text?.decodeMs ?? 0),
      )}
      ${stageItem("text", stages.text, stage, made > 0 ? words.newTokens(made) : words.none, "")}
    </ol>
    <ol class="phases" aria-label=${words.phasesLabel} ?hidden=${state.pace !== "three"}>
      ${Object.entries(words.phases).map(
        ([phase, label]) =>
          html`<li aria-current=${(slowStep ? slowStep.phase : lastPhase(state)) === phase ? "step" : nothing}>
            ${label}
          </li>`,
      )}
    </ol>
    <dl class="figures numbers">
      <div>
        <dt>${words.context} ${info("context")}</dt>
        <dd id="context-used">
          ${model ? words.contextUsed(inContext, model.card.maxPositionEmbeddings) : words.none}
        </dd>
      </div>
      <div>
        <dt>${words.kvCache} ${info("kvCache")}</dt>
        <dd id="kv-bytes">
          ${memory ? words.kvBytes(memory.kvUsedBytes, memory.kvReservedBytes, state.uncached) : words.none}
        </dd>
      </div>
      <div>
        <dt>${words.memory}</dt>
        <dd id="wasm-bytes">${memory ? size(memory.wasmBytes) : words.none}</dd>
      </div>
    </dl>
  `;
}

/** @param {State} state */
const lastPhase = ({ run }) => (run?.waiting ? "append" : null);

/**
 * @param {string} name
 * @param {unknown} title
 * @param {State["stage"]} stage
 * @param {string} counts
 * @param {string} times
 */
function stageItem(name, title, stage, counts, times) {
  return html`<li data-stage=${name} aria-current=${name === stage ? "step" : nothing}>
    <span class="stage-name">${title}</span>
    <span class="numbers">${counts}</span>
    <span class="numbers muted">${times}</span>
  </li>`;
}

/** @param {number | null} ms */
const time = (ms) => (ms === null ? "" : milliseconds(ms));

/** @param {number} steps after the first token @param {number} ms of model and sampling in those steps */
const speed = (steps, ms) => (ms > 0 ? words.tokensPerSecond((steps / ms) * 1000) : "");
