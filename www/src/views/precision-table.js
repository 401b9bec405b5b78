/** Precisions compared on one text: which, on what, and the table of what came of it. */

import { html, live, nothing } from "../../vendor/lit-html.js";
import { count, figure, percent, plural, size } from "../format.js";
import { rowChoices, rowLabel } from "../precision/state.js";
import { labWorkView } from "./lab-work.js";

/** @import { PrecisionActions } from "../precision/actions.js" */
/** @import { PrecisionLab } from "../lab-types.js" */
/** @import { State } from "../page-types.js" */
/** @import { MeasuredSpeed, PrecisionFigures, PrecisionRow } from "../protocol.js" */

/** @param {State} state @param {PrecisionLab} lab @param {PrecisionActions} actions */
export function comparisonView({ activeWorkerId, model, prompt }, lab, actions) {
  const { text, rows, work, fault, report } = lab;
  const hasTokenizer = model?.hasTokenizer === true;
  const ready = activeWorkerId !== null && hasTokenizer && text.trim() !== "" && rows.length > 0;
  const hint =
    activeWorkerId === null || hasTokenizer
      ? rows.length === 0
        ? "Choose a precision."
        : "One after the other, each made from the kept checkpoint and dropped again; the tab keeps the memory that the largest took."
      : "This model has no tokenizer, so it cannot read a text.";
  return html`<label for="precision-text">Text that all of them read</label>
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
      Use the prompt above
    </button>
    <div class="precision-choices" role="group" aria-label="Precisions to compare">
      ${rowChoices.map(
        ({ name, label }) => html`<label class="switch"
          ><input
            type="checkbox"
            .checked=${live(rows.includes(name))}
            ?disabled=${work !== null}
            @change=${(/** @type {Event & { target: HTMLInputElement }} */ { target }) => actions.chooseRow(name, target.checked)}
          />
          ${label}</label
        >`,
      )}
    </div>
    ${labWorkView({
      id: "precision",
      label: "Compare",
      what: "the comparison of precisions",
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
      ${title}, kernel ${kernel}, ${plural(tokens, "token")}.
      ${rows.length < asked ? `Stopped after ${rows.length} of ${asked} rows.` : nothing}
      ${outdated ? html`<b>Model, kernel or text have changed since.</b>` : nothing}
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
      <summary>What the columns mean</summary>
      <ul class="precision-notes">
        <li>
          <b>Weights</b>: bytes as the kernel keeps them, the part that is scales named. <b>KV cache a token</b>: keys and values of
          one position.
        </li>
        <li>
          <b>Logit error</b>: difference from the F32 row's logit of the same token at the same position, the largest, and the
          root mean square over positions and vocabulary.
        </li>
        <li>
          <b>KL</b>: how far the chances are from F32's, in nats, mean over the positions; 0 means equal chances.
          <b>Same first token</b>: share of the positions.
        </li>
        <li>
          <b>Perplexity</b> of the text: of how many equally likely tokens each next one could have been one. It counts tokens,
          so a figure of another tokenizer cannot be compared with it: the same text is then another number of tokens. On one short text a rounded model may come out lower than F32 by chance.
        </li>
        <li>
          <b>Speed</b>: prefill is the first ${plural(prefillTokens, "token")} at once and the head for the last of them; decode is
          ${plural(decodeSteps, "further token")}, one at a time, each with its head. Sampling is in neither. Median of
          ${repeats} after a first pass that does not count, lowest and highest beside it. The rows ran one after the other in this tab, so whatever else the machine
          did in between counts too: do not name a winner where the ranges overlap, and compare again before you trust one.
        </li>
      </ul>
    </details>`;
}

/** @type {{ head: string, cell: (figures: PrecisionFigures) => unknown }[]} */
const figureColumns = [
  {
    head: "Weights",
    cell: ({ weightBytes, scaleBytes }) =>
      html`${size(weightBytes)}${scaleBytes > 0 ? html`<small class="muted"> scales ${size(scaleBytes)}</small>` : nothing}`,
  },
  { head: "KV cache a token", cell: ({ kvTokenBytes }) => `${count(kvTokenBytes)} B` },
  { head: "Largest logit error", cell: ({ largestLogitError }) => figure(largestLogitError) },
  { head: "RMS logit error", cell: ({ rmsLogitError }) => figure(rmsLogitError) },
  { head: "KL, nats", cell: ({ klDivergenceNats }) => figure(klDivergenceNats) },
  { head: "Same first token", cell: ({ top1Agreement }) => (top1Agreement === 1 ? "100 %" : percent(top1Agreement)) },
  { head: "Perplexity", cell: ({ perplexity }) => perplexity?.toFixed(3) ?? "not available" },
  { head: "Prefill, tokens/s", cell: ({ prefillTokensPerSecond }) => speed(prefillTokensPerSecond) },
  { head: "Decode, tokens/s", cell: ({ decodeTokensPerSecond }) => speed(decodeTokensPerSecond) },
];
const columns = [{ head: "Precision" }, ...figureColumns];

/** @param {PrecisionRow} row */
function rowView({ name, note, figures, refused }) {
  return html`<tbody data-row=${name}>
    <tr>
      <th scope="row">${rowLabel(name)}</th>
      ${
        figures === null
          ? html`<td colspan=${figureColumns.length} class="precision-refused">Not compared: ${refused}</td>`
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
  if (measured === null) return "not available";
  const { median, lowest, highest } = measured;
  return html`${count(median)}<small class="muted"> ${count(lowest)}–${count(highest)}</small>`;
}
