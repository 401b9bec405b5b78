/**
 * Tokens coloured and underlined by their chance or rank, with a legend, and how much the text repeats itself. A token has
 * the classes of both from the start: choosing between them changes the box, not its tokens.
 */

import { html, nothing } from "../../vendor/lit-html.js";
import { createRepetition } from "../repetition.js";
import { words } from "../words/text.js";
import { segmentsView } from "./segments.js";

/** @import { Actions } from "../actions.js" */
/** @import { TextStep, TokenMarks } from "../text-types.js" */

/** From this chance on, and up to this rank, a token has the mark of that place in the list; the last is for all others. */
const chances = [0.5, 0.2, 0.05, 0.01];
const ranks = [1, 3, 10, 100];

/** The model's own chance: with settings such as greedy, every token is certain. @param {TextStep} step */
export function markClasses({ probability, rank, history, byHand }) {
  const chance = history?.baseProbability ?? probability;
  const byChance = level(chances.findIndex((least) => chance >= least));
  const byRank = level(ranks.findIndex((most) => rank + 1 <= most));
  return `chance-${byChance} rank-${byRank}${byHand ? " by-hand" : ""}`;
}

/** @param {number} found */
const level = (found) => (found < 0 ? chances.length : found);

/** @param {TokenMarks} marks @param {Actions} actions */
export function marksView(marks, actions) {
  const choices = /** @type {[TokenMarks, string][]} */ (Object.entries(words.marks));
  return segmentsView("marks", words.markBy, choices, marks, actions.chooseTokenMarks);
}

/** @param {TokenMarks} marks */
export function legendView(marks) {
  const legend = words.legends[marks];
  return html`<p class="legend marks-${marks}" id="marks-legend" ?hidden=${marks === "off"}>
    ${legend.title} ${legend.marks.map((word, n) => html`<span class="t ${`${marks}-${n}`}">${word}</span> `)}
    ${marks === "off" ? nothing : html`<span class="t by-hand">${words.framed}</span>`}
  </p>`;
}

const repetition = createRepetition();

/** @param {TextStep[][]} blocks */
export function repetitionLine(blocks) {
  const { tokens, distinct, loop } = repetition(blocks);
  if (tokens === 0) return nothing;
  return loop
    ? words.differentInLoop(distinct, tokens, loop.length, loop.times)
    : words.different(distinct, tokens);
}
