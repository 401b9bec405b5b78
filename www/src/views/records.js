/**
 * The panel "Records and report": what changed since the run before, the records of the session, those of files, tables of
 * other panels, a report.
 */

import { html, nothing, render } from "../../vendor/lit-html.js";
import { isShown } from "../panel-state.js";
import { createRecordsActions } from "../records/actions.js";
import { initialRecords } from "../records/state.js";
import { words } from "../words/records.js";
import { labWorkView } from "./lab-work.js";
import { changeView } from "./records-change.js";
import { filesView } from "./records-class.js";
import { recordsListView } from "./records-list.js";
import { reportFormView, reportView } from "./records-report.js";
import { tablesView } from "./records-tables.js";

/** @import { LabParts, PanelView } from "../panels.js" */
/** @import { State } from "../page-types.js" */
/** @import { RecordsActions } from "../records/actions.js" */

/** @param {LabParts} parts @returns {PanelView} */
export function createPanel(parts) {
  const actions = createRecordsActions(parts);
  printReportOnly(() => isShown(parts.getState(), "records"), actions);
  return (state) => recordsView(state, actions);
}

/** @param {State} state @param {RecordsActions} actions */
function recordsView(state, actions) {
  const lab = state.recordsLab ?? initialRecords;
  const ready = state.activeWorkerId !== null && lab.records.length > 0 && lab.work === null;
  return html`<div class="records">
    <p class="muted">${words.about}</p>
    ${changeView(lab.records)}
    <section aria-labelledby="records-title">
      <h3 id="records-title">${words.heading}</h3>
      ${labWorkView({
        id: "records",
        label: words.repeatNewest,
        what: words.repeatWork,
        ready,
        work: lab.work,
        fault: lab.fault,
        run: actions.repeatNewest,
        stop: actions.stop,
        hint: lab.records.length === 0 ? words.generateFirst : nothing,
      })}
      ${recordsListView(lab, actions)}
    </section>
    ${filesView(lab, actions)} ${tablesView(state, actions)} ${reportFormView(lab, actions)}
  </div>`;
}

/**
 * What the browser prints while the panel is open is the report, and nothing else of the page. Its place is the body, so
 * that nothing around it takes room on the paper.
 * @param {() => boolean} isOpen @param {RecordsActions} actions
 */
function printReportOnly(isOpen, actions) {
  const place = document.createElement("div");
  place.id = "print-report";
  document.body.append(place);
  addEventListener("beforeprint", () => {
    document.body.classList.toggle("printing-report", isOpen());
    render(isOpen() ? reportView(actions.report()) : nothing, place);
  });
  addEventListener("afterprint", () => {
    document.body.classList.remove("printing-report");
    render(nothing, place);
  });
}
