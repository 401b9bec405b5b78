/** The batch panel: several requests in one padded batch, what that computes, and what each gets of it. */

import { html, live, nothing } from "../../vendor/lit-html.js";
import { createBatchActions } from "../batch/actions.js";
import { batchOf, faultsOf, isOutdated } from "../batch/state.js";
import { candleNotice, candleOutcome } from "../candle-place.js";
import { settingsLine } from "../settings-words.js";
import { words } from "../words/batch.js";
import { placesView } from "./batch-places.js";
import { requestsView } from "./batch-requests.js";
import { resultsView } from "./batch-results.js";
import { typedField } from "./fields.js";
import { labWorkView } from "./lab-work.js";

/** @import { LabParts, PanelView } from "../panels.js" */
/** @import { State } from "../page-types.js" */
/** @import { BatchActions } from "../batch/actions.js" */
/** @import { BatchSetup, Schedule } from "../batch/types.js" */

/** @param {LabParts} parts @returns {PanelView} */
export function createPanel(parts) {
  const actions = createBatchActions(parts);
  return (state) => batchView(state, actions);
}

/** @param {State} state @param {BatchActions} actions */
function batchView(state, actions) {
  const lab = batchOf(state);
  const { setup, made, work, fault } = lab;
  const faults = faultsOf(setup);
  const hasText = state.model?.hasTokenizer === true;
  const ready = state.activeWorkerId !== null && hasText && Object.keys(faults).length === 0;
  const notice = state.model === null ? null : candleNotice(state.model.card, words.batchesRun);
  return html`<div class="batch lab-stack">
    <p class="muted">${words.about}</p>
    ${requestsView(setup, faults, actions)} ${optionsView(setup, faults, actions)}
    <p class="muted" id="batch-settings">
      ${words.pageSettings(settingsLine(state.controls))} ${setup.sharedStream ? words.oneStream : words.ownStreams}
      ${state.controls.stop === "" ? nothing : words.noStopStrings}
    </p>
    <p class="muted">${words.kernel}</p>
    ${notice === null ? nothing : html`<p id="batch-second-worker">${notice}</p>`}
    ${labWorkView({
      id: "batch",
      label: words.run,
      what: words.runWork,
      ready,
      work,
      fault,
      run: actions.run,
      stop: actions.stop,
      hint: hasText || state.model === null ? nothing : words.noTokenizer,
    })}
    ${
      made === null
        ? nothing
        : html`<div class="lab-stack" id="batch-made">
            ${isOutdated(lab) ? html`<p class="tag" id="batch-outdated">${words.outdated}</p>` : nothing}
            ${made.secondWorker === null ? nothing : html`<p class="muted" id="batch-made-on">${candleOutcome(made.secondWorker)}</p>`}
            ${made.stopped ? html`<p class="tag">${words.incomplete}</p>` : nothing}
            ${resultsView(made)} ${placesView(lab, made, actions)}
          </div>`
    }
  </div>`;
}

/** @type {Schedule[]} */
const schedules = ["one", "groups", "continuous"];

/** @param {BatchSetup} setup @param {Record<string, string>} faults @param {BatchActions} actions */
function optionsView(setup, faults, actions) {
  const { schedule, rows } = setup;
  const { options } = words;
  return html`<fieldset class="batch-options">
      <legend>${options.schedule}</legend>
      ${schedules.map(
        (value) =>
          html`<label class="switch"
            ><input
              type="radio"
              name="batch-schedule"
              id=${`batch-schedule-${value}`}
              .checked=${live(schedule === value)}
              @change=${() => actions.choose({ schedule: value })}
            />
            ${options.schedules[value]}</label
          >`,
      )}
      <label class="batch-rows lab-field"
        >${options.rows}
        ${typedField({
          id: "batch-rows",
          disabled: schedule === "one",
          fault: faults.rows ?? null,
          value: rows,
          type: (rows) => actions.choose({ rows }),
        })}</label
      >
      ${faults.rows === undefined ? nothing : html`<p class="fault" id="batch-rows-fault">${faults.rows}</p>`}
      ${option("sort", options.sort, setup.sortByLength, (sortByLength) => actions.choose({ sortByLength }))}
      ${option("reversed", options.reversed, setup.alsoReversed || setup.sharedStream, (alsoReversed) =>
        actions.choose({ alsoReversed }),
        setup.sharedStream,
      )}
    </fieldset>
    <fieldset class="batch-options">
      <legend>${options.mistakes}</legend>
      ${option("right", options.rightPadding, setup.rightPadding, (rightPadding) =>
        actions.choose({ rightPadding }),
      )}
      ${option("shared", options.sharedStream, setup.sharedStream, (sharedStream) =>
        actions.choose({ sharedStream }),
      )}
    </fieldset>`;
}

/** @param {string} name @param {string} label @param {boolean} on @param {(on: boolean) => void} change @param {boolean} [fixed] */
function option(name, label, on, change, fixed = false) {
  return html`<label class="switch"
    ><input
      type="checkbox"
      id=${`batch-${name}`}
      ?disabled=${fixed}
      .checked=${live(on)}
      @change=${(/** @type {Event & { target: HTMLInputElement }} */ { target }) => change(target.checked)}
    />
    ${label}</label
  >`;
}
