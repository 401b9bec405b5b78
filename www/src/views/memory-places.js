/** Four things called memory: what is live, what the engine has taken, and what a page cannot see. */

import { html, nothing } from "../../vendor/lit-html.js";
import { canMeasureBrowser } from "../memory-lab/actions.js";
import { bothUnits } from "../memory-lab/numbers.js";

/** @import { State } from "../page-types.js" */
/** @import { MemoryUse } from "../protocol.js" */
/** @import { MemoryActions } from "../memory-lab/actions.js" */
/** @import { MemoryLab } from "../memory-lab/types.js" */

/** Live, reserved, process, device: four figures that one name often stands for.
 * @param {State} state @param {MemoryLab} lab @param {MemoryUse} use @param {MemoryActions} actions
 */
export function placesView({ model }, { browser }, use, actions) {
  const live = use.weightBytes + use.kvUsedBytes + use.activationBytes + use.workspaceBytes;
  const { deviceMemory } = /** @type {{ deviceMemory?: number }} */ (navigator);
  const loaded = model?.card.memory.wasmBytes ?? null;
  const need = model?.card.memoryNeed ?? null;
  return html`<h3 id="memory-places-title">Four things called memory</h3>
    <dl class="memory-places" id="memory-places">
      <dt>Live: what is in use</dt>
      <dd><b class="numbers">${bothUnits(live)}</b>, counted: weights, used cache, activations, workspace.</dd>
      <dt>Reserved: what the engine has taken</dt>
      <dd>
        <b class="numbers">${bothUnits(use.wasmBytes)}</b>, measured. WebAssembly memory grows and never shrinks, so this is
        also the most that it ever was.
        ${loaded === null ? nothing : html`<span id="memory-peak">${peakSentence(loaded, use)}</span>`}
        ${need === null ? nothing : html`Before loading, ${bothUnits(need.totalBytes)} were reckoned with for a full context, ${bothUnits(need.tokenizerBytes)} of it for the tokenizer.`}
      </dd>
      <dt>The process: browser, page, engine <span class="tag soft">a page cannot see it</span></dt>
      <dd id="memory-process">${processLine(browser, use, actions)}</dd>
      <dt>The device <span class="tag soft">a page cannot see it</span></dt>
      <dd>
        ${
          deviceMemory === undefined
            ? "This browser gives no hint. How much of it is free no page can know."
            : html`The browser's hint is ${deviceMemory} GiB: rounded to a few steps and cut off at the top, so that it does
              not single anybody out. How much of it is free no page can know. An accelerator's memory would be a budget of
              its own; this page uses none.`
        }
      </dd>
    </dl>`;
}

/** @param {number} loaded bytes after loading @param {MemoryUse} use */
function peakSentence(loaded, { wasmBytes, weightBytes }) {
  const later = wasmBytes - loaded;
  const since = later > 0 ? `${bothUnits(later)} were added since, by text and comparisons` : "nothing was added since";
  return `The peak of loading was ${bothUnits(loaded)}, ${(loaded / weightBytes).toFixed(1)} times the weights; ${since}. `;
}

/** @param {MemoryLab["browser"]} browser @param {MemoryUse} use @param {MemoryActions} actions */
function processLine(browser, { wasmBytes }, actions) {
  if (!canMeasureBrowser())
    return "The operating system knows it. This page is not isolated from others, or this browser has no measure for it, so not even an estimate can be had here.";
  const button = html`<button
    type="button"
    class="small"
    id="memory-measure"
    ?disabled=${browser?.state === "asking"}
    @click=${actions.measureBrowser}
  >
    Ask the browser
  </button>`;
  const words =
    browser === null
      ? "The operating system knows it. This browser estimates its scripts' and workers' part of it; that can take some seconds."
      : browser.state === "asking"
        ? "The browser measures when it next tidies up…"
        : browser.state === "refused"
          ? "The browser gave no answer."
          : html`<b class="numbers">${bothUnits(browser.bytes)}</b>, the browser's estimate for this page with its workers, by
              rules of its
              own.${browser.bytes < wasmBytes ? " It is less than the engine's memory alone, so this browser does not count all of that." : ""}
              The process as a whole takes more.`;
  return html`${words} ${button}`;
}
