/**
 * Tokens coloured and underlined by their chance or rank, with a legend, and how much the text repeats itself. A token has
 * the classes of both from the start: choosing between them changes the box, not its tokens.
 */

import { html, nothing } from "../../vendor/lit-html.js";
import { count, plural } from "../format.js";
import { createRepetition } from "../repetition.js";
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
  /** @type {[TokenMarks, string][]} */
  const choices = [
    ["off", "off"],
    ["chance", "chance"],
    ["rank", "rank"],
  ];
  return segmentsView("marks", "Mark tokens by", choices, marks, actions.chooseTokenMarks);
}

/** @type {Record<TokenMarks, { title: string, words: string[] }>} */
const legends = {
  off: { title: "", words: [] },
  chance: {
    title: "The model's chance of each token:",
    words: ["50 % and more", "20 to 50 %", "5 to 20 %", "1 to 5 %", "under 1 %"],
  },
  rank: { title: "Its place in the ranking:", words: ["1st", "2nd, 3rd", "4th to 10th", "11th to 100th", "beyond"] },
};

/** @param {TokenMarks} marks */
export function legendView(marks) {
  const { title, words } = legends[marks];
  return html`<p class="legend marks-${marks}" id="marks-legend" ?hidden=${marks === "off"}>
    ${title} ${words.map((word, n) => html`<span class="t ${`${marks}-${n}`}">${word}</span> `)}
    ${marks === "off" ? nothing : html`<span class="t by-hand">framed: put in by hand</span>`}
  </p>`;
}

const repetition = createRepetition();

/** @param {TextStep[][]} blocks */
export function repetitionLine(blocks) {
  const { tokens, distinct, loop } = repetition(blocks);
  if (tokens === 0) return nothing;
  const loops = loop
    ? `longest loop: ${plural(loop.length, "token")}, ${count(loop.times)} times in a row`
    : "no loop";
  return `${count(distinct)} different of ${plural(tokens, "token")}; ${loops}`;
}
