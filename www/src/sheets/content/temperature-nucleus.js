/** Sheet 5: temperature and nucleus on four tokens with exact fractions, in both orders, then on the real model. */

import { counted, fixed } from "../../format.js";
import { argmax } from "../bench.js";
import { shown } from "../checks.js";
import { choice, listed, number, plain, scale, story } from "./parts.js";

/** @import { Bench } from "../bench.js" */
/** @import { ChainStep } from "../../protocol.js" */
/** @import { Facts, Setting, Sheet } from "../types.js" */

const weights = [8, 4, 2, 1];
const names = ["A", "B", "C", "D"];
/** @type {Setting} */
const example = { id: "example", label: "Open the worked example", said: "The worked example is open below, with these four tokens.", panel: "example" };

/** The four tokens through the engine's own sampling step. @param {Bench} bench @param {ChainStep[]} chain @returns {Promise<Facts>} */
async function four(bench, chain) {
  const step = await bench.step(weights.map(Math.log), { chain });
  return { chances: Array.from(step.probabilities), kept: Array.from(step.probabilities).filter((chance) => chance > 0).length };
}

/** @param {Facts} facts */
const table = ({ chances }) => [
  `Chances from the engine: ${(Array.isArray(chances) ? chances : []).map((chance, n) => `${names[n]} ${fixed(Number(chance), 4)}`).join(", ")}`,
];

/** @param {Facts} facts @param {number} n */
const chanceOf = ({ chances }, n) => Number(Array.isArray(chances) ? chances[n] : NaN);

/** @type {ChainStep} */
const cold = { kind: "temperature", value: 0.5 };
/** @param {number} value @returns {ChainStep} */
const topP = (value) => ({ kind: "topP", value });

const tokens = scale(["A", "only A"], ["AB", "A and B"], ["ABC", "A, B and C"], ["ABCD", "all four"]);
/** @param {Facts} facts */
const keptNames = ({ chances }) => names.filter((_, n) => Array.isArray(chances) && Number(chances[n]) > 0).join("");

/** @type {Sheet} */
export const temperatureNucleus = {
  name: "temperature-nucleus",
  title: "Temperature and nucleus",
  about: "Four tokens by hand, with exact fractions; then the same two settings in both orders on the real model.",
  minutes: 25,
  model: "any; the first steps need no model's scores",
  steps: [
    {
      id: "base",
      title: "Four tokens",
      text: [
        "A vocabulary of four. Their scores are log 8, log 4, log 2 and log 1, so that the exponentials are 8, 4, 2 and 1.",
        "Type chances as a fraction (8/15), a decimal or a percentage.",
      ],
      sets: [example],
      measure: { label: "Ask the engine", run: (bench) => four(bench, []) },
      questions: [
        {
          id: "a",
          question: "At temperature 1 and with no filter: the chance of A?",
          field: number(),
          right: (facts) => chanceOf(facts, 0),
          tolerance: 0.002,
          why: () => "8 of 8 + 4 + 2 + 1.",
          hint: "Its share of the sum of all four exponentials.",
        },
        {
          id: "greedy",
          question: "Which token does Greedy take?",
          field: scale(...names.map((name) => /** @type {[string, string]} */ ([name, name]))),
          right: ({ chances }) => names[argmax(Array.isArray(chances) ? chances.map(Number) : [])],
          why: () => "The highest score, every time. No number is drawn.",
          hint: "Greedy looks at the scores' order only.",
        },
      ],
    },
    {
      id: "cold",
      title: "Cool it down",
      text: ["Temperature divides every score. Dividing by one half doubles them, and that squares the exponentials."],
      predict: {
        question: "At temperature 1/2, the chance of A becomes",
        field: number(),
        outcome: (facts) => `${fixed(chanceOf(facts, 0), 4)}, which is 64/85: the squares are 64, 16, 4 and 1.`,
        right: (facts) => chanceOf(facts, 0),
        tolerance: 0.002,
      },
      measure: { label: "Ask the engine", run: (bench) => four(bench, [cold]) },
      shows: table,
      questions: [
        {
          id: "odds",
          question: "How many times as likely as B is A now?",
          field: number("times", "time"),
          right: (facts) => chanceOf(facts, 0) / chanceOf(facts, 1),
          tolerance: 0.01,
          why: () => "Before it was 2 times; odds are raised to the power of 1 / temperature.",
          hint: "Divide the two chances.",
        },
      ],
    },
    {
      id: "heat-first",
      title: "Then the nucleus",
      text: [
        "Top-p keeps the smallest head of the list whose chances add up to at least p. Here p is 3/4, after temperature 1/2.",
      ],
      predict: {
        question: "What survives?",
        field: tokens,
        outcome: ({ kept }) => `${counted(Number(kept), { one: "token", other: "tokens" })}: 64/85 is ${plain(0.7529)}, just above ${plain(0.75)}.`,
        right: keptNames,
      },
      measure: { label: "Ask the engine", run: (bench) => four(bench, [cold, topP(0.75)]) },
      shows: table,
      questions: [
        {
          id: "b",
          question: "The chance of B now?",
          field: number(),
          right: (facts) => chanceOf(facts, 1),
          why: () => "Cut is cut: exactly 0, not merely small.",
          hint: "Look whether B is among the survivors.",
        },
      ],
    },
    {
      id: "nucleus-first",
      title: "The other order",
      text: ["Now the nucleus first, at temperature 1, and temperature 1/2 only for what it left."],
      sets: [example],
      predict: {
        question: "What survives this time?",
        field: tokens,
        outcome: ({ kept }) => `${shown(kept)} tokens: 8/15 alone is below 3/4, so the second is needed too.`,
        right: keptNames,
      },
      measure: { label: "Ask the engine", run: (bench) => four(bench, [topP(0.75), cold]) },
      shows: table,
      questions: [
        {
          id: "b",
          question: "The chance of B now?",
          field: number(),
          right: (facts) => chanceOf(facts, 1),
          tolerance: 0.002,
          why: () => "16 of 64 + 16. The same two settings, another order, another distribution.",
          hint: "Only A and B are left; take their squares, 64 and 16.",
        },
      ],
    },
    {
      id: "border",
      title: "Exactly on the border",
      text: ["At temperature 1, A and B have 8/15 and 4/15, together 12/15. Set p to exactly that: 4/5."],
      predict: {
        question: "How many tokens survive top-p 4/5?",
        field: number("tokens", "token"),
        outcome: ({ kept, listing }) =>
          `${shown(kept)} by the rule of this page (the smallest head that reaches p); an often copied listing keeps ${shown(listing)}.`,
        right: ({ kept }) => Number(kept),
      },
      measure: {
        label: "Ask both rules",
        run: async (bench) => {
          const facts = await four(bench, [topP(0.8)]);
          const other = await bench.step(weights.map(Math.log), { chain: [topP(0.8)], boundary: "listing" });
          return { ...facts, listing: Array.from(other.probabilities).filter((chance) => chance > 0).length };
        },
      },
      questions: [
        {
          id: "weights",
          question: "Two programs keep two and three tokens here. What does that say about the weights?",
          field: choice(["nothing", "Nothing: their rules for the border differ"], ["trained", "That they were trained differently"]),
          right: ({ kept, listing }) => (kept === listing ? "trained" : "nothing"),
          why: () => "There were no weights in this example at all.",
          hint: "Which weights made the numbers 8, 4, 2 and 1?",
        },
      ],
    },
    {
      id: "real",
      title: "On the real model",
      text: [`Temperature ${plain(0.5)} and top-p ${plain(0.9)} on the scores after the story's prompt. Once you have predicted, the buttons set both orders on the page: watch how many are kept.`],
      sets: [
        {
          id: "heat",
          label: "Temperature, then top-p",
          said: `Set: temperature ${plain(0.5)}, then top-p ${plain(0.9)}.`,
          prompt: story,
          controls: { temperature: 0.5, topP: 0.9 },
        },
        {
          id: "nucleus",
          label: "Top-p, then temperature",
          said: `Set: top-p ${plain(0.9)}, then temperature ${plain(0.5)}.`,
          prompt: story,
          controls: { temperature: 0.5, topP: 0.9, order: ["topK", "topP", "minP", "temperature"] },
        },
      ],
      predict: {
        question: "Which order keeps more tokens?",
        field: choice(["heat", "Temperature first"], ["nucleus", "Top-p first"], ["same", "Both the same"]),
        outcome: ({ heat, nucleus }) => `Temperature first keeps ${shown(heat)}, top-p first keeps ${shown(nucleus)}.`,
        right: ({ heat, nucleus }) => (heat === nucleus ? "same" : Number(heat) > Number(nucleus) ? "heat" : "nucleus"),
      },
      measure: {
        label: "Ask the engine",
        run: async (bench) => {
          const logits = await bench.logits((await bench.tokenize(story)).ids);
          const kept = async (/** @type {ChainStep[]} */ chain) =>
            (await bench.step(logits, { chain })).probabilities.reduce((count, chance) => count + (chance > 0 ? 1 : 0), 0);
          return { heat: await kept([cold, topP(0.9)]), nucleus: await kept([topP(0.9), cold]) };
        },
      },
      questions: [
        {
          id: "why",
          question: "Why?",
          field: choice(
            ["sharp", "A cooler distribution reaches p with fewer tokens"],
            ["cut", "Top-p cuts nothing after a temperature"],
          ),
          right: ({ heat, nucleus }) => (Number(heat) <= Number(nucleus) ? "sharp" : "cut"),
          why: () => "Each step sees what the steps before it have made.",
          hint: "Which of the two heads holds more chance a token?",
        },
      ],
    },
    {
      id: "ranking",
      title: "What temperature cannot do",
      text: [`Ask for the five best tokens at the temperatures ${plain(0.5)}, 1 and 2.`],
      predict: {
        question: "Does the order of the five change?",
        field: choice(["no", "No, never"], ["yes", "Yes, at temperature 2"]),
        outcome: ({ same, tops }) =>
          same ? `No: the ids ${listed(tops)} lead at all three.` : "Yes: the five differ between the three.",
        right: ({ same }) => (same ? "no" : "yes"),
      },
      measure: {
        label: "Rank three times",
        run: async (bench) => {
          const logits = await bench.logits((await bench.tokenize(story)).ids);
          /** @type {number[][]} */
          const tops = [];
          for (const value of [0.5, 1, 2]) {
            const { ranking } = await bench.step(logits, { chain: [{ kind: "temperature", value }] });
            tops.push(Array.from(ranking.slice(0, 5)));
          }
          return { same: tops.every((top) => top.join() === tops[0].join()), tops: tops[0] };
        },
      },
      questions: [
        {
          id: "truth",
          question: "A low temperature gives a sentence that is often repeated word for word. Is it therefore true?",
          field: choice(
            ["no", "No: it is likely under the model, and that is all"],
            ["yes", "Yes, as a rule: the likely sentence is the correct one"],
          ),
          right: () => "no",
          why: () => "A chance is that of the next token. A mistake can be made very repeatable.",
          hint: "Where would knowledge of the world have come in?",
        },
      ],
    },
  ],
};
