/** Four things called memory: what is live, what the engine has taken, and what a page cannot see. */

import { html, nothing } from "../../vendor/lit-html.js";
import { canMeasureBrowser } from "../memory-lab/actions.js";
import { bothUnits } from "../memory-lab/numbers.js";
import { words } from "../words/memory.js";

/** @import { State } from "../page-types.js" */
/** @import { MemoryUse } from "../protocol.js" */
/** @import { MemoryActions } from "../memory-lab/actions.js" */
/** @import { MemoryLab } from "../memory-lab/types.js" */

const { places } = words;
/** A number of bytes that stands out. @param {number} bytes */
const strong = (bytes) => html`<b class="numbers">${bothUnits(bytes)}</b>`;

/** Live, reserved, process, device: four figures that one name often stands for.
 * @param {State} state @param {MemoryLab} lab @param {MemoryUse} use @param {MemoryActions} actions
 */
export function placesView({ model }, { browser }, use, actions) {
  const live = use.weightBytes + use.kvUsedBytes + use.activationBytes + use.workspaceBytes;
  const { deviceMemory } = /** @type {{ deviceMemory?: number }} */ (navigator);
  const loaded = model?.card.memory.wasmBytes ?? null;
  const need = model?.card.memoryNeed ?? null;
  return html`<h3 id="memory-places-title">${places.heading}</h3>
    <dl class="memory-places" id="memory-places">
      <dt>${places.live}</dt>
      <dd>${places.liveBytes(strong(live))}</dd>
      <dt>${places.reserved}</dt>
      <dd>
        ${places.reservedBytes(strong(use.wasmBytes))}
        ${loaded === null ? nothing : html`<span id="memory-peak">${peakSentence(loaded, use)}</span>`}
        ${need === null ? nothing : places.need(bothUnits(need.totalBytes), bothUnits(need.tokenizerBytes))}
      </dd>
      <dt>${places.process} <span class="tag soft">${places.unseen}</span></dt>
      <dd id="memory-process">${processLine(browser, use, actions)}</dd>
      <dt>${places.device} <span class="tag soft">${places.unseen}</span></dt>
      <dd>${deviceMemory === undefined ? places.noHint : places.hint(deviceMemory)}</dd>
    </dl>`;
}

/** @param {number} loaded bytes after loading @param {MemoryUse} use */
function peakSentence(loaded, { wasmBytes, weightBytes }) {
  const later = wasmBytes - loaded;
  return places.peak(bothUnits(loaded), loaded / weightBytes, later > 0 ? bothUnits(later) : null);
}

/** @param {MemoryLab["browser"]} browser @param {MemoryUse} use @param {MemoryActions} actions */
function processLine(browser, { wasmBytes }, actions) {
  if (!canMeasureBrowser()) return places.noMeasure;
  const button = html`<button
    type="button"
    class="small"
    id="memory-measure"
    ?disabled=${browser?.state === "asking"}
    @click=${actions.measureBrowser}
  >
    ${places.ask}
  </button>`;
  const found =
    browser === null
      ? places.mayAsk
      : browser.state === "asking"
        ? places.asking
        : browser.state === "refused"
          ? places.refused
          : places.estimate(strong(browser.bytes), browser.bytes < wasmBytes);
  return html`${found} ${button}`;
}
