/** Sheet 14: what a comparison of two settings has to hold fixed before anybody wins. */

import { fixed } from "../../format.js";
import { shown } from "../checks.js";
import { choice, listed, number, plain, words } from "./parts.js";

/** @import { Bench } from "../bench.js" */
/** @import { Sheet } from "../types.js" */

/** @param {Bench} bench @param {Parameters<Bench["generate"]>[0]} options */
async function total(bench, options) {
  const { timingsMs, newIds } = await bench.generate(options);
  return { ms: Number(timingsMs.total.toFixed(2)), tokens: newIds.length };
}

/** @param {number[]} values */
function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return (sorted[Math.floor(middle)] + sorted[Math.ceil(middle)]) / 2;
}

const numbers = (/** @type {unknown} */ value) => (Array.isArray(value) ? value.map(Number) : []);

/** @param {unknown} one @param {unknown} other */
const overlap = (one, other) =>
  Math.max(...numbers(one)) >= Math.min(...numbers(other)) && Math.max(...numbers(other)) >= Math.min(...numbers(one));

/** @type {Sheet} */
export const fairComparison = {
  name: "fair-comparison",
  title: "A fair comparison",
  about: "Equal work, several runs, a median with its spread, and the courage to name no winner.",
  minutes: 20,
  model: "any",
  steps: [
    {
      id: "length",
      title: "Half the time",
      text: [
        "Setting A makes 64 tokens. Setting B ends at a stop string, and is done much sooner.",
      ],
      predict: {
        question: "B's time for one token, against A's, will be",
        field: choice(["equal", "about the same, within a third"], ["less", "less"], ["more", "more"]),
        outcome: ({ aMs, aTokens, bMs, bTokens }) =>
          `A: ${shown(aTokens)} tokens in ${shown(aMs)} ms. B: ${shown(bTokens)} tokens in ${shown(bMs)} ms.`,
        right: ({ aMs, aTokens, bMs, bTokens }) => {
          const ratio = Number(bMs) / Number(bTokens) / (Number(aMs) / Number(aTokens));
          return ratio < 2 / 3 ? "less" : ratio > 4 / 3 ? "more" : "equal";
        },
      },
      measure: {
        label: "Run A and B",
        run: async (bench) => {
          const free = await bench.generate({ maxNewTokens: 64 });
          const text = free.text ?? "";
          const stop = text.slice(Math.floor(text.length / 2), Math.floor(text.length / 2) + 4);
          const a = await total(bench, { maxNewTokens: 64 });
          const b = await total(bench, { maxNewTokens: 64, stop: [stop] });
          return { aMs: a.ms, aTokens: a.tokens, bMs: b.ms, bTokens: b.tokens };
        },
      },
      questions: [
        {
          id: "fewer",
          question: "How many tokens fewer did B make?",
          field: number("tokens", "token"),
          right: ({ aTokens, bTokens }) => Number(aTokens) - Number(bTokens),
          why: () => "It ended sooner because it did less. Whether it computes faster is not known from this.",
          hint: "Both counts stand above.",
        },
        {
          id: "mend",
          question: "What makes the two comparable?",
          field: choice(
            ["force", "Force the same length: ignore end token and stop strings"],
            ["faster", "Take the faster of several runs"],
            ["divide", "Compare the texts instead"],
          ),
          right: () => "force",
          why: () => "The A/B panel's benchmark does so.",
          hint: "The work has to be the same.",
        },
      ],
    },
    {
      id: "repeat",
      title: "Once is nothing",
      text: ["The very same run, five times. Nothing is changed."],
      predict: {
        question: `The slowest of the five takes how many times as long as the fastest? (Within ${plain(0.3)}.)`,
        field: number("times", "time"),
        outcome: ({ times }) => `${fixed(Math.max(...numbers(times)) / Math.min(...numbers(times)), 2)} times: ${listed(times)} ms.`,
        right: ({ times }) => Math.max(...numbers(times)) / Math.min(...numbers(times)),
        tolerance: 0.3,
      },
      measure: {
        label: "Run it five times",
        run: async (bench) => {
          const times = [];
          for (let n = 0; n < 5; n++) times.push((await total(bench, { maxNewTokens: 32 })).ms);
          return { times };
        },
      },
      questions: [
        {
          id: "median",
          question: "What is the median of the five?",
          field: number("ms"),
          right: ({ times }) => median(numbers(times)),
          tolerance: 0.006,
          why: () => "The middle one. One disturbed run cannot move it far, and the luckiest run is not sold as typical.",
          hint: "Sort them and take the third.",
        },
        {
          id: "warm",
          question: "The first run is often the slowest. What is done about it?",
          field: choice(
            ["warm", "Runs to warm up come first and are not counted"],
            ["drop", "The slowest runs are left out afterwards"],
            ["nothing", "Nothing, it is part of the result"],
          ),
          right: () => "warm",
          why: () => "Decided before, not picked out afterwards.",
          hint: "Which of them cannot be bent towards a wished result?",
        },
      ],
    },
    {
      id: "winner",
      title: "Is there a winner?",
      text: [
        "Two configurations in turn, A B A B, five times each. What the page does not tell you beforehand: they are the same configuration.",
      ],
      predict: {
        question: "Will the ranges of their times overlap?",
        field: choice(["yes", "Yes"], ["no", "No: one will look faster throughout"]),
        outcome: ({ a, b }) => `A: ${listed(a)} ms. B: ${listed(b)} ms.`,
        right: ({ a, b }) => (overlap(a, b) ? "yes" : "no"),
      },
      measure: {
        label: "Run A B A B …",
        run: async (bench) => {
          /** @type {number[]} */
          const a = [];
          /** @type {number[]} */
          const b = [];
          for (let n = 0; n < 10; n++) (n % 2 === 0 ? a : b).push((await total(bench, { maxNewTokens: 32 })).ms);
          return { a, b };
        },
      },
      questions: [
        {
          id: "name",
          question: "What do you write under it?",
          field: choice(
            ["none", "No difference beyond the spread was found"],
            ["smaller", "The one with the smaller median won"],
          ),
          right: () => "none",
          why: ({ a, b }) =>
            `The medians are ${shown(median(numbers(a)))} and ${shown(median(numbers(b)))} ms, of one and the same thing.`,
          hint: "What do you know about A and B?",
        },
        {
          id: "turn",
          question: "Why in turn, and not first all of A and then all of B?",
          field: choice(
            ["drift", "A machine that slows down would then hurt only B"],
            ["cache", "The cache has to be emptied between them"],
          ),
          right: () => "drift",
          why: () => "Heat, another program, a battery that runs low: in turn, both get their share.",
          hint: "What may change on a laptop within a minute?",
        },
      ],
    },
    {
      id: "fixed",
      title: "What is held fixed",
      text: ["A colleague reports: “With top-k 40 the engine is 30 % faster.”"],
      sets: [{ id: "ab", label: "Open A/B", said: "The A/B panel is open below.", panel: "ab" }],
      questions: [
        {
          id: "ask",
          question: "What do you ask first?",
          field: choice(
            ["work", "Whether both made the same number of tokens from the same ids"],
            ["model", "How many parameters the model has"],
            ["seed", "Whether the text was good"],
          ),
          right: () => "work",
          why: () => "Another setting draws other tokens, and one of them may be the end token.",
          hint: "How could a filter change the time at all?",
        },
        {
          id: "own",
          question: "Write down what you would hold fixed to test the claim, before you run anything.",
          field: words,
          why: () => "Machine, ids, forced length, cache, number format, kernel, warm-up, repeats, and where the clock starts.",
        },
      ],
    },
  ],
};
