/** What came of two runs: the verdict, the tokens in line, and both distributions where they part. */

import { html, nothing } from "../../vendor/lit-html.js";
import { apart, differenceSentence, verdict } from "../ab/verdict.js";
import { chainNames, count, percent, plural, size, stopReasons } from "../format.js";

/** @import { Distribution } from "../protocol.js" */
/** @import { Comparison, Configuration, MadeRun, MadeToken, Pair, Side } from "../ab/types.js" */

const sides = /** @type {const} */ ([0, 1]);
const banned = 255;

/** @param {Comparison} comparison @param {boolean} outdated */
export function comparisonView(comparison, outdated) {
  const { kind, of, runs, difference, predictions } = comparison;
  const names = /** @type {Pair<string>} */ (kind === "twice" ? ["First", "Second"] : ["A", "B"]);
  return html`<section class="lab-stack" id="ab-comparison" aria-label="What came of it">
    ${outdated ? html`<p class="muted">Prompt or configurations have been changed since this was made.</p>` : nothing}
    <p class="lab-verdict" id="ab-verdict">${verdict(comparison, ({ shown }) => `“${shown}”`)}</p>
    ${difference === null ? nothing : html`<p class="numbers" id="ab-difference">${differenceSentence(difference)} ${where(comparison)}</p>`}
    ${sides.map((side) => html`<p class="muted numbers">${names[side]}: ${facts(runs[side], of[side])}</p>`)}
    ${tokensInLine(comparison, names)} ${predictions === null ? nothing : distributions(comparison, predictions, names)}
  </section>`;
}

/** @param {Comparison} comparison */
function where({ difference, runs }) {
  if (difference === null || difference.value === 0) return nothing;
  const { id, index, value } = difference;
  const named = runs.flatMap(({ tokens }) => tokens).find((token) => token.id === id);
  return `It is that of ${named ? named.spoken : `id ${id}`}, in predicting token ${count(index + 1)}: ${apart(value)}.`;
}

/** @param {MadeRun} run @param {Configuration} configuration */
function facts({ tokens, stopReason, seed, ownWorker, weightBytes }, { controls }) {
  const memory = ownWorker
    ? `; made in a second worker with ${size(weightBytes)} of weights, which has been ended`
    : "";
  return `${plural(tokens.length, "token")}; ${stopReasons[stopReason]}; ${controls.greedy ? "greedy" : `seed ${seed}`}${memory}`;
}

/** @param {Comparison} comparison @param {Pair<string>} names */
function tokensInLine({ alignment, runs }, names) {
  const [a, b] = runs.map(({ tokens }) => tokens);
  const equal = alignment?.equal ?? 0;
  const longest = Math.max(a.length, b.length);
  const lined = Array.from({ length: longest }, (_, n) =>
    n < equal ? sameToken(n, a[n]) : differentTokens(n, a[n], b[n], alignment?.firstDifference === n, names),
  );
  return html`<h3 id="ab-tokens-title">Token by token</h3>
    <ol class="ab-tokens" id="ab-tokens" aria-labelledby="ab-tokens-title" tabindex="0">
      ${lined}
    </ol>`;
}

/** @param {number} n @param {MadeToken} token */
function sameToken(n, token) {
  return html`<li class="ab-same" data-index=${n}>
    ${chip(token)}<span class="visually-hidden">${token.spoken}, in both</span>
  </li>`;
}

/**
 * @param {number} n @param {MadeToken | undefined} a @param {MadeToken | undefined} b @param {boolean} first
 * @param {Pair<string>} names
 */
function differentTokens(n, a, b, first, names) {
  const spoken = [a, b].map((token, side) => `${names[side]} ${token ? token.spoken : "has ended"}`).join(", ");
  return html`<li class=${first ? "ab-different ab-first" : "ab-different"} data-index=${n}>
    ${first ? html`<span class="tag" aria-hidden="true">first difference</span>` : nothing}
    <span class="ab-pair"><b aria-hidden="true">${names[0][0]}</b>${chip(a)}</span>
    <span class="ab-pair"><b aria-hidden="true">${names[1][0]}</b>${chip(b)}</span>
    <span class="visually-hidden">${first ? "First difference: " : ""}${spoken}</span>
  </li>`;
}

/** @param {MadeToken | undefined} token */
function chip(token) {
  if (token === undefined) return html`<span class="muted" aria-hidden="true">ended</span>`;
  return html`<code class="chip ${token.kind}" aria-hidden="true">${token.shown}</code>`;
}

/** @param {Comparison} comparison @param {Pair<Distribution>} predictions @param {Pair<string>} names */
function distributions({ alignment }, predictions, names) {
  const token = count((alignment?.firstDifference ?? 0) + 1);
  return html`<h3>Both distributions at token ${token}, after the identical prefix</h3>
    <div class="ab-distributions">${sides.map((side) => distributionTable(predictions[side], side, names))}</div>`;
}

/** @param {Distribution} distribution @param {Side} side @param {Pair<string>} names */
function distributionTable(distribution, side, names) {
  const { tokens, rest } = distribution;
  return html`<table
    class="bars ab-table"
    id=${`ab-distribution-${side}`}
    aria-label=${`${names[side]}: chances of the token`}
  >
    <thead>
      <tr>
        <th scope="col">${names[side]}</th>
        <th scope="col" class="logit">Logit</th>
        <th scope="col" class="ab-chance">Model says</th>
        <th scope="col" class="ab-chance">With settings</th>
      </tr>
    </thead>
    <tbody>
      ${Array.from(tokens.ids, (_, row) => tokenRow(distribution, row, side, names))}
      <tr class="rest">
        <th scope="row">${count(rest.count)} others</th>
        <td class="logit"></td>
        <td class="ab-chance">${percent(rest.baseProbability)}</td>
        <td class="ab-chance">${percent(rest.probability)}</td>
      </tr>
    </tbody>
  </table>`;
}

/** @param {Distribution} distribution @param {number} row @param {Side} side @param {Pair<string>} names */
function tokenRow(
  { tokens, rawLogits, baseProbabilities, probabilities, cutBy, cuts, draw, pickedId },
  row,
  side,
  names,
) {
  const id = tokens.ids[row];
  const marks = [id === draw.id && names[side], id === pickedId && names[1 - side]].filter((name) => name !== false);
  const cut = cutBy[row];
  const why =
    cut === banned ? "banned" : cut > 0 ? `cut by ${chainNames[cuts[cut - 1].kind]}` : percent(probabilities[row]);
  return html`<tr data-id=${id} class=${id === draw.id ? "marked" : cut > 0 ? "cut" : ""}>
    <th scope="row">
      <code class="chip ${tokens.kind[row]}" aria-hidden="true">${tokens.text[row]}</code>
      <span class="visually-hidden">${tokens.spoken[row]}</span>
      ${marks.map((name) => html`<span class=${name === names[side] ? "tag" : "tag soft"}>picked by ${name}</span>`)}
    </th>
    <td class="logit">${rawLogits[row].toFixed(3)}</td>
    <td class="ab-chance">${percent(baseProbabilities[row])}</td>
    <td class="ab-chance">${why}</td>
  </tr>`;
}
