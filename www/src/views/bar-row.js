/** Head and rows of the ranked table, for the bars and for tokens that were looked up. Numbers as they come. */

import { html, live, nothing } from "../../vendor/lit-html.js";
import { fixed, inColumn, percent, rankInColumn } from "../format.js";
import { words } from "../words/bars.js";
import { words as common } from "../words/common.js";
import { info } from "./info.js";

/** @import { ChosenToken, ExtraColumn } from "../page-types.js" */
/** @import { Distribution } from "../protocol.js" */

const banned = 255;
/** Of "100.0 %" and of "−12.34". */
const [longestPercent, longestLogit] = [7, 6];
/** Lengths that a full bar may stand for, so that small chances can be seen and bars seldom change their scale. */
const scales = [0.05, 0.1, 0.25, 0.5, 1];

/**
 * The columns that come on demand, in the order in which a step computes them.
 * @type {{ name: ExtraColumn, label: string, cell: (distribution: Distribution, row: number) => string }[]}
 */
export const extraColumns = [
  { name: "processed", label: words.columns.processed, cell: (d, row) => logit(d.processedLogits[row]) },
  { name: "scaled", label: words.columns.scaled, cell: (d, row) => logit(d.scaledLogits[row]) },
  { name: "cumulative", label: words.columns.cumulative, cell: (d, row) => percent(d.cumulative[row]) },
  { name: "span", label: words.columns.span, cell: spanOf },
  { name: "fate", label: words.columns.fate, cell: fateOf },
];

/** A banned token's logit is minus infinity. @param {number} value */
const logit = (value) => (value === -Infinity ? words.minusInfinity : fixed(value, 2));

/** @param {Distribution} distribution @param {number} row */
function spanOf({ lows, highs }, row) {
  return lows[row] < highs[row] ? words.span(lows[row], highs[row]) : words.noSpan;
}

/** @param {Distribution} distribution @param {number} row */
function fateOf({ cutBy, cuts }, row) {
  const cut = cutBy[row];
  if (cut === banned) return words.bannedBefore;
  return cut === 0 ? words.kept : words.cutBy(common.chain[cuts[cut - 1].kind]);
}

/**
 * @typedef {object} RowOptions
 * @property {number} scale the chance that a full bar stands for
 * @property {ExtraColumn[]} columns
 * @property {ChosenToken[] | null} chosen the tokens that are compared, or null where none can be chosen
 * @property {(token: ChosenToken) => void} choose
 * @property {boolean} [ids] shown beside the tokens
 * @property {(distribution: Distribution, row: number) => unknown} use the button that puts a row's token into the text
 */

/** The terms are explained in one table only: their notes have ids. @param {ExtraColumn[]} columns @param {boolean} [explained] */
export function barsHead(columns, explained = false) {
  const note = (/** @type {import("./info.js").Term} */ term) => (explained ? info(term) : nothing);
  return html`<thead>
    <tr>
      <th scope="col" class="rank"><span class="visually-hidden">${words.columns.rank}</span></th>
      <th scope="col">${words.columns.token}</th>
      <th scope="col" class="logit">${words.columns.logit} ${note("logit")}</th>
      ${extraColumns.map(({ name, label }) =>
        columns.includes(name) ? html`<th scope="col" class="extra ${name}">${label}</th>` : nothing,
      )}
      <th scope="col" class="chance">${words.columns.model} ${note("chance")}</th>
      <th scope="col" class="chance">${words.columns.mine} ${note("mine")}</th>
    </tr>
  </thead>`;
}

/** @param {Distribution} distribution @param {number} row @param {Mark | null} mark @param {RowOptions} options */
export function barRow(distribution, row, mark, { scale, columns, chosen, choose, ids = false, use }) {
  const { tokens, ranks, rawLogits, baseProbabilities, probabilities, cutBy, cuts } = distribution;
  const cut = cutBy[row];
  const why = cut === banned ? words.banned : cut > 0 ? words.cutBy(common.chain[cuts[cut - 1].kind]) : null;
  const id = tokens.ids[row];
  const [text, spoken, kind] = [tokens.text[row], tokens.spoken[row], tokens.kind[row]];
  return html`<tr class="${why ? "cut" : ""} ${mark ? "marked" : ""}" data-id=${id}>
    <td class="rank">
      ${
        chosen === null
          ? rankInColumn(ranks[row] + 1)
          : html`<label
              ><input
                type="checkbox"
                aria-label=${words.compare(spoken)}
                .checked=${live(chosen.some((token) => token.id === id))}
                @change=${() => choose({ id, text, spoken, kind })}
              />${rankInColumn(ranks[row] + 1)}</label
            >`
      }
    </td>
    <th scope="row">
      <span class="token-cell"
        ><code class="chip ${kind}" aria-hidden="true">${text}</code
        ><span class="visually-hidden">${spoken}</span>${ids ? html`<small class="muted">${common.id(id)}</small>` : nothing}${
          mark ? html`<span class="tag ${mark === "picked" ? "" : "soft"}">${words.marks[mark]}</span>` : nothing
        }${use(distribution, row)}</span
      >
    </th>
    <td class="logit"><span class="logit-cell">${inColumn(logit(rawLogits[row]), longestLogit)}</span></td>
    ${extraColumns.map(({ name, cell }) =>
      columns.includes(name)
        ? html`<td class="extra ${name}"><span class="logit-cell">${cell(distribution, row)}</span></td>`
        : nothing,
    )}
    <td>${chance(baseProbabilities[row], scale, "model")}</td>
    <td>${why ? html`<span class="why">${why}</span>` : chance(probabilities[row], scale, "mine")}</td>
  </tr>`;
}

/** @typedef {keyof typeof words.marks} Mark */

/** What happened to a token, or would. @param {Distribution} distribution @param {number} id @returns {Mark | null} */
export function markOf({ pickedId, draw }, id) {
  if (id === pickedId) return "picked";
  if (id !== draw.id) return null;
  return pickedId === null ? "nextPick" : "wouldPick";
}

/** @param {number} probability @param {number} scale @param {"model" | "mine"} whose */
export function chance(probability, scale, whose) {
  return html`<span class="chance-cell"
    ><span class="track" aria-hidden="true"
      ><span class="bar ${whose}" style=${`transform: scaleX(${Math.min(1, probability / scale)})`}></span></span
    ><span class="numbers">${inColumn(percent(probability), longestPercent)}</span></span
  >`;
}

/** The table: with more columns it is wider, and scrolls sideways. @param {RowOptions} options */
export const tableClass = ({ columns, chosen }) =>
  ["bars", ...(columns.length > 0 ? ["wide"] : []), ...(chosen === null ? [] : ["choosing"])].join(" ");

/** @param {RowOptions} options */
export const tableStyle = ({ columns }) => `--extras: ${columns.length}`;

/** What a full bar stands for. @param {Distribution | null} distribution */
export function scaleOf(distribution) {
  if (!distribution) return 1;
  const { baseProbabilities, probabilities, rest } = distribution;
  let highest = Math.max(rest.baseProbability, rest.probability);
  for (const column of [baseProbabilities, probabilities]) {
    for (const probability of column) highest = Math.max(highest, probability);
  }
  return scales.find((scale) => scale >= highest) ?? 1;
}
