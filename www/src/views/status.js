/** Where the run is: tokenize, prefill, decode, text; with what each took, as the engine measured it. */

import { html, nothing } from "../../vendor/lit-html.js";
import { count, milliseconds, plural, size } from "../format.js";
import { countSteps } from "../text-blocks.js";
import { info } from "./info.js";

/** @import { State } from "../page-types.js" */

/** @param {State} state */
export function statusView(state) {
  const { tokens, tokenizeMs, prefill, text, stage, slowStep, model, memory } = state;
  const made = text ? countSteps(text.blocks) : 0;
  const inContext = (tokens?.ids.length ?? 0) + (text?.stale ? 0 : made);
  const reused = prefill && prefill.reusedTokens > 0 ? `, ${count(prefill.reusedTokens)} reused` : "";
  const unused = state.uncached ? ", not used by runs" : "";
  return html`
    <h2 class="visually-hidden">Stages and counts</h2>
    <ol class="stages" id="stages">
      ${stageItem("tokenize", "Tokenize", stage, tokens ? plural(tokens.ids.length, "token") : "–", time(tokenizeMs))}
      ${stageItem(
        "prefill",
        html`Prefill ${info("prefill")}`,
        stage,
        prefill ? `1 pass, ${plural(prefill.tokens, "token")}${reused}` : "–",
        time(prefill?.ms ?? null),
      )}
      ${stageItem(
        "decode",
        html`Decode ${info("decode")}`,
        stage,
        made > 0 ? `${plural(made - 1, "step")}${text?.uncached ? ", uncached" : ""}` : "–",
        speed(text?.decodeSteps ?? 0, text?.decodeMs ?? 0),
      )}
      ${stageItem("text", "Text", stage, made > 0 ? plural(made, "new token") : "–", "")}
    </ol>
    <ol class="phases" aria-label="Phases of one step" ?hidden=${state.pace !== "three"}>
      ${phases.map(
        ([phase, label]) =>
          html`<li aria-current=${(slowStep ? slowStep.phase : lastPhase(state)) === phase ? "step" : nothing}>
            ${label}
          </li>`,
      )}
    </ol>
    <dl class="figures numbers">
      <div>
        <dt>Context ${info("context")}</dt>
        <dd id="context-used">
          ${model ? `${count(inContext)} of ${count(model.card.maxPositionEmbeddings)} tokens` : "–"}
        </dd>
      </div>
      <div>
        <dt>KV cache ${info("kvCache")}</dt>
        <dd id="kv-bytes">${memory ? `${size(memory.kvUsedBytes)} of ${size(memory.kvReservedBytes)}${unused}` : "–"}</dd>
      </div>
      <div>
        <dt>Memory</dt>
        <dd id="wasm-bytes">${memory ? size(memory.wasmBytes) : "–"}</dd>
      </div>
    </dl>
  `;
}

/** @type {[string, string][]} */
const phases = [
  ["forward", "forward pass"],
  ["filter", "filter"],
  ["pick", "pick"],
  ["append", "append"],
];

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
const speed = (steps, ms) => (ms > 0 ? `${count((steps / ms) * 1000)} tokens/s` : "");
