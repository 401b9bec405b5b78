/** Precisions compared on one text: which, on what, and the table of what came of it. */

import { html, live, nothing } from "../../vendor/lit-html.js";
import { count, figure, fixed, percent, size } from "../format.js";
import { rowChoices, rowLabel } from "../precision/state.js";
import { words } from "../words/precision.js";
import { labWorkView } from "./lab-work.js";

/** @import { PrecisionActions } from "../precision/actions.js" */
/** @import { PrecisionLab } from "../lab-types.js" */
/** @import { State } from "../page-types.js" */
/** @import { MeasuredSpeed, PrecisionFigures, PrecisionRow } from "../protocol.js" */

const { columns: heads, notes } = words;

/** @param {State} state @param {PrecisionLab} lab @param {PrecisionActions} actions */
export function comparisonView({ activeWorkerId, model, prompt }, lab, actions) {
  const { text, rows, work, fault, report } = lab;
  const hasTokenizer = model?.hasTokenizer === true;
  const ready = activeWorkerId !== null && hasTokenizer && text.trim() !== "" && rows.length > 0;
  const hint =
    activeWorkerId !== null && !hasTokenizer ? words.noTokenizer : rows.length === 0 ? words.choose : words.hint;
  return html`<label for="precision-text">${words.text}</label>
    <textarea
      id="precision-text"
      rows="4"
      spellcheck="false"
      .value=${live(text)}
      @input=${(/** @type {InputEvent & { target: HTMLTextAreaElement }} */ { target }) => actions.writeText(target.value)}
    ></textarea>
    <button
      type="button"
      class="quiet small"
      id="precision-use-prompt"
      ?disabled=${prompt === ""}
      @click=${() => actions.writeText(prompt)}
    >
      ${words.usePrompt}
    </button>
    <div class="precision-choices" role="group" aria-label=${words.choices}>
      ${rowChoices.map(
        (name) => html`<label class="switch"
          ><input
            type="checkbox"
            .checked=${live(rows.includes(name))}
            ?disabled=${work !== null}
            @change=${(/** @type {Event & { target: HTMLInputElement }} */ { target }) => actions.chooseRow(name, target.checked)}
          />
          ${rowLabel(name)}</label
        >`,
      )}
    </div>
    ${labWorkView({
      id: "precision",
      label: words.compare,
      what: words.stopWhat,
      ready,
      work,
      fault,
      run: actions.compare,
      stop: actions.stop,
      hint,
    })}
    ${report === null ? nothing : reportView(report, report.text !== text || report.title !== model?.title || report.table.kernel !== model.card.kernel)}`;
}

/** @param {NonNullable<PrecisionLab["report"]>} report @param {boolean} outdated */
function reportView({ table, title, asked }, outdated) {
  const { rows, tokens, kernel, prefillTokens, decodeSteps, repeats } = table;
  return html`<p id="precision-says">
      ${words.says(title, kernel, tokens)} ${rows.length < asked ? words.stoppedAfter(rows.length, asked) : nothing}
      ${outdated ? html`<b>${words.outdated}</b>` : nothing}
    </p>
    <table class="lab-table precision-table numbers" id="precision-table">
      <thead>
        <tr>
          ${columns.map(({ head }) => html`<th scope="col">${head}</th>`)}
        </tr>
      </thead>
      ${rows.map(rowView)}
    </table>
    <details>
      <summary>${words.notesHeading}</summary>
      <ul class="precision-notes">
        <li>${notes.bytes(bold)}</li>
        <li>${notes.logits(bold)}</li>
        <li>${notes.chances(bold)}</li>
        <li>${notes.perplexity(bold)}</li>
        <li>${notes.speed(bold, prefillTokens, decodeSteps, repeats)}</li>
      </ul>
    </details>`;
}

/** @param {string} text */
const bold = (text) => html`<b>${text}</b>`;

/** @type {{ head: string, cell: (figures: PrecisionFigures) => unknown }[]} */
const figureColumns = [
  {
    head: heads.weights,
    cell: ({ weightBytes, scaleBytes }) =>
      html`${size(weightBytes)}${scaleBytes > 0 ? html`<small class="muted">${words.scales(size(scaleBytes))}</small>` : nothing}`,
  },
  { head: heads.kvCache, cell: ({ kvTokenBytes }) => words.bytes(kvTokenBytes) },
  { head: heads.largestError, cell: ({ largestLogitError }) => figure(largestLogitError) },
  { head: heads.rmsError, cell: ({ rmsLogitError }) => figure(rmsLogitError) },
  { head: heads.divergence, cell: ({ klDivergenceNats }) => figure(klDivergenceNats) },
  { head: heads.agreement, cell: ({ top1Agreement }) => (top1Agreement === 1 ? words.certain : percent(top1Agreement)) },
  { head: heads.perplexity, cell: ({ perplexity }) => (perplexity === null ? words.notAvailable : fixed(perplexity, 3)) },
  { head: heads.prefill, cell: ({ prefillTokensPerSecond }) => speed(prefillTokensPerSecond) },
  { head: heads.decode, cell: ({ decodeTokensPerSecond }) => speed(decodeTokensPerSecond) },
];
const columns = [{ head: heads.row }, ...figureColumns];

/** @param {PrecisionRow} row */
function rowView({ name, note, figures, refused }) {
  return html`<tbody data-row=${name}>
    <tr>
      <th scope="row">${rowLabel(name)}</th>
      ${
        figures === null
          ? html`<td colspan=${figureColumns.length} class="precision-refused">${words.refused(refused)}</td>`
          : figureColumns.map(
              ({ head, cell }) => html`<td><span class="precision-head" aria-hidden="true">${head}</span>${cell(figures)}</td>`,
            )
      }
    </tr>
    ${note === null ? nothing : html`<tr class="precision-note"><td colspan=${columns.length} class="muted">${note}</td></tr>`}
  </tbody>`;
}

/** @param {MeasuredSpeed | null} measured */
function speed(measured) {
  if (measured === null) return words.notAvailable;
  const { median, lowest, highest } = measured;
  return html`${count(median)}<small class="muted">${words.range(lowest, highest)}</small>`;
}
