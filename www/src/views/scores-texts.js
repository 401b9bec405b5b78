/** The tokens of a scored text and of the loop's own, marked by their chance, and all their figures as a table. */

import { html, nothing } from "../../vendor/lit-html.js";
import { count, percent } from "../format.js";
import { toldOf } from "../scores/state.js";
import { natsText, tokenSentence } from "../scores/words.js";
import { words } from "../words/scores.js";
import { tableHead } from "./table.js";

/** @import { ScoresActions } from "../scores/actions.js" */
/** @import { Told } from "../scores/state.js" */
/** @import { MadeScores, ScoresLab } from "../scores/types.js" */

/** From this probability on a token has the mark of that place in the list; the last mark is for all others. */
const chances = [0.5, 0.2, 0.05, 0.01];
/** ln of those: the colours go by log-probability. */
const borders = [null, -0.69, -1.61, -3, -4.61, null];
const legend = borders.slice(1).map((to, level) => words.tokens.level(borders[level], to));

/** Nothing changes between two pictures of the same scores. @type {WeakMap<MadeScores, { text: Told[], loop: Told[] }>} */
const known = new WeakMap();

/** @param {MadeScores} made */
function bothOf(made) {
  let both = known.get(made);
  if (both === undefined) {
    both = { text: toldOf(made.text), loop: made.loop === null ? [] : toldOf(made.loop) };
    known.set(made, both);
  }
  return both;
}

/** @param {ScoresLab} lab @param {MadeScores} made @param {ScoresActions} actions */
export function scoredTextsView({ chosen }, made, actions) {
  const { text, loop } = bothOf(made);
  return html`<p class="legend marks-chance" id="scores-legend">
      ${words.tokens.legend}
      ${legend.map((range, level) => html`<span class=${`t chance-${level}`}>${range}</span> `)}
      <span class="t">${words.tokens.plain}</span>
    </p>
    ${stripView("scores-tokens", words.tokens.text, text, chosen, 0, actions)}
    ${loop.length === 0 ? nothing : stripView("scores-loop-tokens", words.tokens.loop, loop, chosen, made.given, actions)}
    <p id="scores-token" class="numbers">${text[chosen] === undefined ? nothing : tokenSentence(text[chosen], text.length)}</p>
    ${loop[chosen] === undefined ? nothing : html`<p id="scores-loop-token" class="numbers">${words.tokens.ofLoop(tokenSentence(loop[chosen], loop.length))}</p>`}
    <details id="scores-details">
      <summary>${words.table.summary}</summary>
      ${tableView(text, loop, made.given)}
    </details>`;
}

/**
 * One tab stop; the arrow keys go from token to token.
 * @param {string} id @param {string} label @param {Told[]} told @param {number} chosen
 * @param {number} given tokens that were given, and not made @param {ScoresActions} actions
 */
function stripView(id, label, told, chosen, given, actions) {
  /** @param {KeyboardEvent} event */
  function onKey(event) {
    const by = { ArrowLeft: -1, ArrowRight: 1, Home: -told.length, End: told.length }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    actions.move(by, told.length - 1);
    const strip = /** @type {HTMLElement} */ (event.currentTarget);
    requestAnimationFrame(() => strip.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" }));
  }
  return html`<div class="scores-strip-label" id=${`${id}-label`}>${label}</div>
    <div
      class="scores-strip marks-chance"
      id=${id}
      role="listbox"
      tabindex="0"
      aria-labelledby=${`${id}-label`}
      aria-activedescendant=${told[chosen] === undefined ? nothing : `${id}-${chosen}`}
      @keydown=${onKey}
    >
      ${told.map((one) => tokenView(id, one, one.position === chosen, one.position < given, told.length, actions))}
    </div>`;
}

/** @param {string} id @param {Told} told @param {boolean} chosen @param {boolean} given @param {number} tokens @param {ScoresActions} actions */
function tokenView(id, told, chosen, given, tokens, actions) {
  const { position, shown, score } = told;
  const level = score === null || given ? null : levelOf(score.probability);
  return html`<span
    class=${`t ${level === null ? "" : `chance-${level}`}`}
    role="option"
    id=${`${id}-${position}`}
    data-position=${position}
    aria-selected=${chosen}
    aria-label=${tokenSentence(told, tokens)}
    @click=${() => actions.choose(position)}
    >${shown}</span
  >`;
}

/** @param {number} probability */
function levelOf(probability) {
  const found = chances.findIndex((least) => probability >= least);
  return found < 0 ? chances.length : found;
}

/** @param {Told[]} text @param {Told[]} loop @param {number} given */
function tableView(text, loop, given) {
  const { label, number, token, logProbability, probability, rank, likeliest, loopToken, loopLogProbability } = words.table;
  return html`<div class="scroll-x scroll-y" tabindex="0" role="group" aria-label=${label}>
    <table id="scores-table" class="lab-table numbers">
      ${tableHead([
        number,
        token,
        logProbability,
        probability,
        rank,
        likeliest,
        ...(loop.length === 0 ? [] : [loopToken, loopLogProbability]),
      ])}
      <tbody>
        ${text.map((told) => rowView(told, loop[told.position], loop.length > 0, given))}
      </tbody>
    </table>
  </div>`;
}

/** @param {Told} told @param {Told | undefined} looped @param {boolean} hasLoop @param {number} given */
function rowView({ position, shown, spoken, kind, score }, looped, hasLoop, given) {
  const chip = (/** @type {string} */ shown, /** @type {string} */ spoken, /** @type {string} */ kind) =>
    html`<code class="chip ${kind}" aria-hidden="true">${shown}</code><span class="visually-hidden">${spoken}</span>`;
  const { given: isGiven, none } = words.table;
  return html`<tr>
    <td>${position + 1}</td>
    <th scope="row">${chip(shown, spoken, kind)}</th>
    <td>${score === null ? none : natsText(score.logProbability)}</td>
    <td>${score === null ? none : percent(score.probability)}</td>
    <td>${score === null ? none : count(score.rank + 1)}</td>
    <td>${score === null ? none : html`<code class="chip" >${score.top}</code> ${percent(score.topProbability)}`}</td>
    ${
      !hasLoop
        ? nothing
        : looped === undefined
          ? html`<td></td><td></td>`
          : html`<td>
                ${chip(looped.shown, looped.spoken, looped.kind)}${position < given ? html` <span class="muted">${isGiven}</span>` : nothing}
              </td>
              <td>${looped.score === null ? none : natsText(looped.score.logProbability)}</td>`
    }
  </tr>`;
}
