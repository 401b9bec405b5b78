/** The batch panel: several requests in one padded batch, what that computes, and what each gets of it. */

import { html, live, nothing } from "../../vendor/lit-html.js";
import { createBatchActions } from "../batch/actions.js";
import { batchOf, faultsOf, isOutdated } from "../batch/state.js";
import { candleNotice, candleOutcome } from "../candle-place.js";
import { settingsLine } from "../settings-words.js";
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
  const notice = state.model === null ? null : candleNotice(state.model.card, "batches run");
  return html`<div class="batch lab-stack" aria-busy=${work !== null}>
    <p class="muted">
      Several requests in one operation: shorter prompts are padded on the left until all are equally wide. Run it, and see
      what is computed for nothing, what each request waits, and that nobody's text changes. Then switch on a mistake.
    </p>
    ${requestsView(setup, faults, actions)} ${optionsView(setup, faults, actions)}
    <p class="muted" id="batch-settings">
      Settings of the page: ${settingsLine(state.controls)}. But how many tokens a request may make is its own.
      ${
        setup.sharedStream
          ? "All rows draw from one random stream, that of the page's seed: whoever is next takes the next number."
          : "Each request draws from a random stream of its own, whose seed is the page's plus its place in the list, from 0."
      } ${state.controls.stop === "" ? nothing : "Stop strings are not looked at here."}
    </p>
    <p class="muted">
      Batches run on the candle kernel, which takes F32, F16 or BF16 for all weights and a KV cache in F32; the runs alone
      are made on it too. The page's usual kernel runs one text at a time and is faster at that.
    </p>
    ${notice === null ? nothing : html`<p id="batch-second-worker">${notice}</p>`}
    ${labWorkView({
      id: "batch",
      label: "Run the batch",
      what: "the batch",
      ready,
      work,
      fault,
      run: actions.run,
      stop: actions.stop,
      hint: hasText || state.model === null ? nothing : "This model has no tokenizer, so it reads no prompts.",
    })}
    ${
      made === null
        ? nothing
        : html`<div class="lab-stack" id="batch-made">
            ${isOutdated(lab) ? html`<p class="tag" id="batch-outdated">Made with other requests or options than above</p>` : nothing}
            ${made.secondWorker === null ? nothing : html`<p class="muted" id="batch-made-on">${candleOutcome(made.secondWorker)}</p>`}
            ${made.stopped ? html`<p class="tag">Stopped: what follows is not complete</p>` : nothing}
            ${resultsView(made)} ${placesView(lab, made, actions)}
          </div>`
    }
  </div>`;
}

/** @type {[Schedule, string][]} */
const schedules = [
  ["one", "All in one batch"],
  ["groups", "Batches of so many rows, in turn"],
  ["continuous", "Continuous: a waiting request takes the place of a finished one"],
];

/** @param {BatchSetup} setup @param {Record<string, string>} faults @param {BatchActions} actions */
function optionsView(setup, faults, actions) {
  const { schedule, rows } = setup;
  return html`<fieldset class="batch-options">
      <legend>Who runs when</legend>
      ${schedules.map(
        ([value, label]) =>
          html`<label class="switch"
            ><input
              type="radio"
              name="batch-schedule"
              id=${`batch-schedule-${value}`}
              .checked=${live(schedule === value)}
              @change=${() => actions.choose({ schedule: value })}
            />
            ${label}</label
          >`,
      )}
      <label class="batch-rows lab-field"
        >Rows at once
        ${typedField({
          id: "batch-rows",
          disabled: schedule === "one",
          fault: faults.rows ?? null,
          value: rows,
          type: (rows) => actions.choose({ rows }),
        })}</label
      >
      ${faults.rows === undefined ? nothing : html`<p class="fault" id="batch-rows-fault">${faults.rows}</p>`}
      ${option("sort", "Sort by length, shortest first", setup.sortByLength, (sortByLength) => actions.choose({ sortByLength }))}
      ${option("reversed", "Run it again with the rows in the opposite order", setup.alsoReversed || setup.sharedStream, (alsoReversed) =>
        actions.choose({ alsoReversed }),
        setup.sharedStream,
      )}
    </fieldset>
    <fieldset class="batch-options">
      <legend>Mistakes to switch on</legend>
      ${option("right", "Pad on the right, and read the last column all the same", setup.rightPadding, (rightPadding) =>
        actions.choose({ rightPadding }),
      )}
      ${option("shared", "One random stream for all rows (shows the opposite order too)", setup.sharedStream, (sharedStream) =>
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
