/** The A/B panel: two configurations on the page's prompt, what each made, and where and why they part. */

import { html, nothing } from "../../vendor/lit-html.js";
import { abOf, createAbActions } from "../ab/actions.js";
import { differences } from "../ab/configuration.js";
import { isBenchmarkOutdated, isOutdated, ownFaults } from "../ab/state.js";
import { isHeldByPage } from "../lab-places.js";
import { words } from "../words/ab.js";
import { words as labWords } from "../words/lab-work.js";
import { benchmarkView } from "./ab-benchmark.js";
import { comparisonView } from "./ab-comparison.js";
import { configurationsView } from "./ab-configurations.js";
import { repeatsView } from "./ab-repeats.js";
import { faultLine } from "./lab-work.js";

/** @import { LabParts, PanelView } from "../panels.js" */
/** @import { State } from "../page-types.js" */
/** @import { AbActions } from "../ab/actions.js" */
/** @import { AbState } from "../ab/types.js" */

/** @param {LabParts} parts @returns {PanelView} */
export function createPanel(parts) {
  const actions = createAbActions(parts);
  return (state) => abView(state, actions);
}

/** @param {State} state @param {AbActions} actions */
function abView(state, actions) {
  const ab = abOf(state);
  const entries = state.catalogue?.models ?? [];
  const busy = ab.work !== null;
  return html`<div class="ab lab-stack">
    <p class="muted">${words.intro}</p>
    ${configurationsView(ab, entries, state.relaxedSimd, actions)}
    <p id="ab-differences">${differencesLine(differences(ab.pair, entries))}</p>
    ${memoryLine(state, ab)}
    <div class="panel-line lab-work">
      <div class="buttons">
        <button
          type="button"
          class="primary"
          id="ab-run"
          ?disabled=${!mayRun(state, ab)}
          aria-disabled=${busy ? "true" : nothing}
          @click=${actions.run}
        >
          ${words.run}
        </button>
        <button type="button" id="ab-stop" ?disabled=${!busy} aria-disabled=${ab.work?.stopping ? "true" : nothing} @click=${actions.stop}>
          ${labWords.stop}<span class="visually-hidden"> ${words.stopWhat}</span>
        </button>
        <button type="button" class="quiet" id="ab-swap" aria-disabled=${busy ? "true" : nothing} @click=${() => busy || actions.swap()}>
          ${words.swap}
        </button>
      </div>
      <span class="muted numbers" id="ab-progress">${progress(state, ab)}</span>
    </div>
    ${ab.fault === null ? nothing : faultLine("ab-fault", ab.fault)}
    ${ab.comparison === null ? nothing : comparisonView(ab.comparison, isOutdated(ab, state.prompt))}
    ${repeatsView(ab, mayRun(state, ab), actions)}
    ${benchmarkView(ab, mayRun(state, ab), isBenchmarkOutdated(ab, state.prompt), entries, actions)}
  </div>`;
}

/** @param {State} state @param {AbState} ab */
function mayRun({ activeWorkerId, prompt, model }, { faults }) {
  const ready = activeWorkerId !== null && model !== null && model.hasTokenizer;
  return ready && prompt !== "" && Object.keys(faults).every((key) => ownFaults.includes(key));
}

/** @param {State} state @param {AbState} ab */
function progress({ run, prompt }, { work }) {
  if (work === null) return prompt === "" ? labWords.writePrompt : nothing;
  return run !== null && !run.paced && !work.stopping ? words.pageFirst : labWords.underWay(work.words);
}

/** @param {State} state @param {AbState} ab */
function memoryLine({ model }, { pair }) {
  const others = words.sides.filter((_, side) => model !== null && !isHeldByPage(pair[side], model));
  return others.length === 0 ? nothing : html`<p class="muted" id="ab-memory">${words.otherWeights(others)}</p>`;
}

/** @param {ReturnType<typeof differences>} found */
function differencesLine(found) {
  if (found.length === 0) return words.nothingDiffers;
  const differences = found.map(({ label, values: [a, b] }) => words.difference(label, a, b));
  return html`<b>${words.theyDiffer}</b> ${words.differenceList(differences)}`;
}
