/** Words of the text, its marks, its table, and what changes it. */

import { count, counted } from "../format.js";
import { inLanguage } from "./language.js";

const tokens = (/** @type {number} */ n) => counted(n, { one: "token", other: "tokens" });

export const words = inLanguage("text", {
  title: "Text",
  boundaries: "token boundaries",
  help: "The arrow keys go from token to token and show how each was picked; Enter goes to its bars, Escape back to the present.",
  table: "Token by token",
  changes: "Changes of the text",
  undo: "Undo",
  redo: "Redo",
  made: tokens,
  /** @param {number} n */
  madeEarlier: (n) => `${tokens(n)}, made from an earlier prompt`,
  /** @param {number} n @param {string} why it ended @param {number | null} seed that makes the same text again */
  ended: (n, why, seed) => `${tokens(n)}; ${why}${seed === null ? "" : `; seed ${seed}`}`,

  markBy: "Mark tokens by",
  marks: { off: "off", chance: "chance", rank: "rank" },
  legends: {
    off: { title: "", marks: /** @type {string[]} */ ([]) },
    chance: {
      title: "The model's chance of each token:",
      marks: ["50 % and more", "20 to 50 %", "5 to 20 %", "1 to 5 %", "under 1 %"],
    },
    rank: { title: "Its place in the ranking:", marks: ["1st", "2nd, 3rd", "4th to 10th", "11th to 100th", "beyond"] },
  },
  framed: "framed: put in by hand",
  /** @param {number} distinct @param {number} n */
  different: (distinct, n) => `${count(distinct)} different of ${tokens(n)}; no loop`,
  /** @param {number} distinct @param {number} n @param {number} length of the longest loop @param {number} times */
  differentInLoop: (distinct, n, length, times) =>
    `${count(distinct)} different of ${tokens(n)}; longest loop: ${tokens(length)}, ${count(times)} times in a row`,

  tokensMade: "Tokens made",
  noTokens: "No tokens yet.",
  tokensFrom: (/** @type {number} */ number) => `Tokens from number ${number}`,
  columns: { number: "No.", token: "Token", id: "Id", rank: "Rank", drawnWith: "Drawn with" },
  putIn: "put in",
});
