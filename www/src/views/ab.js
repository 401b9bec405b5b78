/** The A/B panel: two configurations on the page's prompt, what each made, and where and why they part. */

import { html, nothing } from "../../vendor/lit-html.js";
import { abOf, createAbActions } from "../ab/actions.js";
import { differences } from "../ab/configuration.js";
import { isBenchmarkOutdated, isOutdated, ownFaults } from "../ab/state.js";
import { isHeldByPage } from "../lab-places.js";
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
  return html`<div class="ab lab-stack" aria-busy=${ab.work !== null}>
    <p class="muted">
      Two runs on the prompt above. Change one thing between them, and see whether, where and why the texts part.
    </p>
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
          Run A and B
        </button>
        <button type="button" id="ab-stop" ?disabled=${!busy} aria-disabled=${ab.work?.stopping ? "true" : nothing} @click=${actions.stop}>
          Stop<span class="visually-hidden"> the comparison</span>
        </button>
        <button type="button" class="quiet" id="ab-swap" aria-disabled=${busy ? "true" : nothing} @click=${() => busy || actions.swap()}>
          Swap A and B
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
  if (work === null) return prompt === "" ? "Write a prompt first." : nothing;
  return run !== null && !run.paced && !work.stopping ? "The page's own run goes first." : `${work.words}…`;
}

/** @param {State} state @param {AbState} ab */
function memoryLine({ model }, { pair }) {
  const others = ["A", "B"].filter((_, side) => model !== null && !isHeldByPage(pair[side], model));
  if (others.length === 0) return nothing;
  const which = others.length === 2 ? "A and B need" : `${others[0]} needs`;
  return html`<p class="muted" id="ab-memory">
    ${which} other weights than the page's model: they are loaded beside it in another worker, which takes memory of its
    own and is ended after the runs.
  </p>`;
}

/** @param {ReturnType<typeof differences>} found */
function differencesLine(found) {
  if (found.length === 0) return "A and B are the same: nothing differs.";
  return html`<b>They differ in:</b> ${found.map(
      ({ label, values: [a, b] }, n) => html`${n === 0 ? nothing : "; "}${label} (A: ${a}, B: ${b})`,
    )}.`;
}
