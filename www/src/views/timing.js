/** The timing panel: where the time of the last run went, what a person waited for, and how finely it could be told. */

import { html, nothing } from "../../vendor/lit-html.js";
import { count, stopReasons } from "../format.js";
import { createRunWatch, lastRun } from "../timing/paints.js";
import { clockWords, figuresOf, stagesOf } from "../timing/words.js";
import { intervalChart } from "./timing-chart.js";
import { tableHead } from "./table.js";

/** @import { LabParts, PanelView } from "../panels.js" */
/** @import { State } from "../page-types.js" */
/** @import { TimingLab } from "../lab-types.js" */

/** @param {LabParts} parts @returns {PanelView} */
export function createPanel({ getState, dispatch, eachChange, eachFrame }) {
  const watch = createRunWatch((value) => dispatch({ type: "labChanged", name: "timingLab", value }));
  eachChange(watch.changed);
  eachFrame(watch.painted);
  // The run before the panel was opened has its times; what was painted of it nobody counted.
  const last = lastRun(getState());
  if (last !== null) dispatch({ type: "labChanged", name: "timingLab", value: { ...last, paints: null } });
  return timingView;
}

/** @param {State} state */
export function timingView({ timingLab, clock }) {
  return html`<p class="muted">
      Where the time of the page's last run went. Press Generate above; then clear the text and generate again, and see
      what changes; then try a long prompt, a single token, and Continue.
    </p>
    ${
      timingLab === null
        ? html`<p id="timing-none">No run has ended yet.</p>`
        : html`<p id="timing-run">${runWords(timingLab)}</p>
            ${stages(timingLab)} ${figures(timingLab)} ${intervalChart(timingLab.timing.latency)}`
    }
    <p class="muted" id="timing-clock">${clockWords(timingLab, clock)}</p>
    <p class="muted" id="timing-limits">
      What a tiny model on a processor cannot show: on an accelerator, decoding a large model mostly waits for weights
      and KV cache to come out of the device's memory, work is queued and has to be waited for, and many requests are
      served at once. None of that is in these numbers.
    </p>`;
}

/** @param {TimingLab} lab */
function runWords({ timing, model, reason }) {
  const { paced, runOfModel, latency } = timing;
  const pace = paced ? "in steps, with pauses that count in nothing" : "at full speed";
  const cold = runOfModel === 1 ? html` <span class="tag">cold: first run</span>` : nothing;
  return html`<b>Last run:</b> ${count(latency.outputTokens)} of ${model.title}'s tokens, ${pace};
    ${stopReasons[reason]}.${cold}`;
}

/** @param {TimingLab} lab */
function stages(lab) {
  return html`<h3 id="timing-stages-title">Stages, one after another</h3>
  <table class="lab-table as-list" id="timing-stages" aria-labelledby="timing-stages-title">
    ${tableHead(["Stage", "Time", "From where to where"])}
    <tbody>
      ${stagesOf(lab).map(
        ({ id, name, time, rough, boundary }) =>
          html`<tr data-stage=${id}>
            <th scope="row">${name}</th>
            <td class="numbers">
              ${time} ${rough ? html`<span class="tag soft" title="fewer than ten steps of the clock">rough</span>` : nothing}
            </td>
            <td class="muted">${boundary}${rough ? "; shorter than ten steps of the clock" : nothing}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}

/** @param {TimingLab} lab */
function figures(lab) {
  return html`<h3>What a person waits for</h3>
    <dl class="timing-figures" id="timing-figures">
      ${figuresOf(lab).map(
        ({ id, name, value, boundary }) =>
          html`<div data-figure=${id}>
            <dt>${name}</dt>
            <dd class="numbers"><b>${value}</b></dd>
            <dd class="muted">${boundary}</dd>
          </div>`,
      )}
    </dl>`;
}
