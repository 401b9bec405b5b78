/** The timing panel: where the time of the last run went, what a person waited for, and how finely it could be told. */

import { html, nothing } from "../../vendor/lit-html.js";
import { createRunWatch, lastRun } from "../timing/paints.js";
import { clockWords, figuresOf, stagesOf } from "../timing/words.js";
import { words as common } from "../words/common.js";
import { words } from "../words/timing.js";
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
  return html`<p class="muted">${words.intro}</p>
    ${
      timingLab === null
        ? html`<p id="timing-none">${words.none}</p>`
        : html`<p id="timing-run">${runWords(timingLab)}</p>
            ${stages(timingLab)} ${figures(timingLab)} ${intervalChart(timingLab.timing.latency)}`
    }
    <p class="muted" id="timing-clock">${clockWords(timingLab, clock)}</p>
    <p class="muted" id="timing-limits">${words.limits}</p>`;
}

/** @param {TimingLab} lab */
function runWords({ timing, model, reason }) {
  const { paced, runOfModel, latency } = timing;
  const pace = paced ? words.paced : words.fullSpeed;
  const cold = runOfModel === 1 ? html` <span class="tag">${words.cold}</span>` : nothing;
  return html`<b>${words.lastRun}</b> ${words.run(latency.outputTokens, model.title, pace, common.stopReasons[reason])}${cold}`;
}

/** @param {TimingLab} lab */
function stages(lab) {
  return html`<h3 id="timing-stages-title">${words.stagesHeading}</h3>
  <table class="lab-table as-list" id="timing-stages" aria-labelledby="timing-stages-title">
    ${tableHead(words.stageColumns)}
    <tbody>
      ${stagesOf(lab).map(
        ({ id, name, time, rough, boundary }) =>
          html`<tr data-stage=${id}>
            <th scope="row">${name}</th>
            <td class="numbers">
              ${time} ${rough ? html`<span class="tag soft">${words.rough}</span>` : nothing}
            </td>
            <td class="muted">${rough ? words.roughBoundary(boundary) : boundary}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}

/** @param {TimingLab} lab */
function figures(lab) {
  return html`<h3>${words.figuresHeading}</h3>
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
