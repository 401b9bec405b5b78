/** What came of two runs: the verdict, the tokens in line, and both distributions where they part. */

import { html, nothing } from "../../vendor/lit-html.js";
import { apart, differenceSentence, howPicked, verdict } from "../ab/verdict.js";
import { fixed, percent } from "../format.js";
import { words } from "../words/ab.js";
import { words as common } from "../words/common.js";

/** @import { Distribution } from "../protocol.js" */
/** @import { Comparison, Configuration, MadeRun, MadeToken, Pair, Side } from "../ab/types.js" */

const sides = /** @type {const} */ ([0, 1]);
const banned = 255;

/** @param {Comparison} comparison @param {boolean} outdated */
export function comparisonView(comparison, outdated) {
  const { kind, of, runs, difference, predictions } = comparison;
  const names = kind === "twice" ? words.twice : words.sides;
  return html`<section class="lab-stack" id="ab-comparison" aria-label=${words.outcome}>
    ${outdated ? html`<p class="muted">${words.outdated}</p>` : nothing}
    <p class="lab-verdict" id="ab-verdict">${verdict(comparison, ({ shown }) => words.quoted(shown))}</p>
    ${difference === null ? nothing : html`<p class="numbers" id="ab-difference">${differenceSentence(difference)} ${where(comparison)}</p>`}
    ${sides.map((side) => html`<p class="muted numbers">${facts(names[side], runs[side], of[side])}</p>`)}
    ${tokensInLine(comparison, names)} ${predictions === null ? nothing : distributions(comparison, predictions, names)}
  </section>`;
}

/** @param {Comparison} comparison */
function where({ difference, runs }) {
  if (difference === null || difference.value === 0) return nothing;
  const { id, index, value } = difference;
  const named = runs.flatMap(({ tokens }) => tokens).find((token) => token.id === id);
  return words.logits.where(named ? named.spoken : words.logits.unnamed(id), index, apart(value));
}

/** @param {string} name @param {MadeRun} run @param {Configuration} configuration */
function facts(name, { tokens, stopReason, seed, ownWorker, weightBytes }, { controls }) {
  const how = howPicked(controls.greedy, seed);
  const made = words.facts(name, tokens.length, common.stopReasons[stopReason], how);
  return ownWorker ? words.madeElsewhere(made, weightBytes) : made;
}

/** @param {Comparison} comparison @param {Pair<string>} names */
function tokensInLine({ alignment, runs }, names) {
  const [a, b] = runs.map(({ tokens }) => tokens);
  const equal = alignment?.equal ?? 0;
  const longest = Math.max(a.length, b.length);
  const lined = Array.from({ length: longest }, (_, n) =>
    n < equal ? sameToken(n, a[n]) : differentTokens(n, a[n], b[n], alignment?.firstDifference === n, names),
  );
  return html`<h3 id="ab-tokens-title">${words.tokenByToken}</h3>
    <ol class="ab-tokens" id="ab-tokens" aria-labelledby="ab-tokens-title" tabindex="0">
      ${lined}
    </ol>`;
}

/** @param {number} n @param {MadeToken} token */
function sameToken(n, token) {
  return html`<li class="ab-same" data-index=${n}>
    ${chip(token)}<span class="visually-hidden">${words.inBoth(token.spoken)}</span>
  </li>`;
}

/**
 * @param {number} n @param {MadeToken | undefined} a @param {MadeToken | undefined} b @param {boolean} first
 * @param {Pair<string>} names
 */
function differentTokens(n, a, b, first, names) {
  const spoken = words.differing(names, [a, b].map((token) => token?.spoken ?? null));
  return html`<li class="ab-different ${first ? "ab-first" : ""}" data-index=${n}>
    ${first ? html`<span class="tag" aria-hidden="true">${words.firstDifference}</span>` : nothing}
    <span class="ab-pair"><b aria-hidden="true">${names[0][0]}</b>${chip(a)}</span>
    <span class="ab-pair"><b aria-hidden="true">${names[1][0]}</b>${chip(b)}</span>
    <span class="visually-hidden">${first ? words.firstDiffering(spoken) : spoken}</span>
  </li>`;
}

/** @param {MadeToken | undefined} token */
function chip(token) {
  if (token === undefined) return html`<span class="muted" aria-hidden="true">${words.ended}</span>`;
  return html`<code class="chip ${token.kind}" aria-hidden="true">${token.shown}</code>`;
}

/** @param {Comparison} comparison @param {Pair<Distribution>} predictions @param {Pair<string>} names */
function distributions({ alignment }, predictions, names) {
  return html`<h3>${words.distributions(alignment?.firstDifference ?? 0)}</h3>
    <div class="ab-distributions">${sides.map((side) => distributionTable(predictions[side], side, names))}</div>`;
}

/** @param {Distribution} distribution @param {Side} side @param {Pair<string>} names */
function distributionTable(distribution, side, names) {
  const { tokens, rest } = distribution;
  return html`<table
    class="bars ab-table"
    id=${`ab-distribution-${side}`}
    aria-label=${words.chances(names[side])}
  >
    <thead>
      <tr>
        <th scope="col">${names[side]}</th>
        <th scope="col" class="logit">${words.columns.logit}</th>
        <th scope="col" class="ab-chance">${words.columns.model}</th>
        <th scope="col" class="ab-chance">${words.columns.settings}</th>
      </tr>
    </thead>
    <tbody>
      ${Array.from(tokens.ids, (_, row) => tokenRow(distribution, row, side, names))}
      <tr class="rest">
        <th scope="row">${words.others(rest.count)}</th>
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
    cut === banned ? words.banned : cut > 0 ? words.cutBy(common.chain[cuts[cut - 1].kind]) : percent(probabilities[row]);
  return html`<tr data-id=${id} class=${id === draw.id ? "marked" : cut > 0 ? "cut" : ""}>
    <th scope="row">
      <code class="chip ${tokens.kind[row]}" aria-hidden="true">${tokens.text[row]}</code>
      <span class="visually-hidden">${tokens.spoken[row]}</span>
      ${marks.map((name) => html`<span class="tag ${name === names[side] ? "" : "soft"}">${words.pickedBy(name)}</span>`)}
    </th>
    <td class="logit">${fixed(rawLogits[row], 3)}</td>
    <td class="ab-chance">${percent(baseProbabilities[row])}</td>
    <td class="ab-chance">${why}</td>
  </tr>`;
}
