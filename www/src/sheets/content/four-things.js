/** Sheet 8: evaluation mode, no gradients, greedy and seed are four switches for four different things. */

import { firstDifference, largestDifference } from "../bench.js";
import { shown } from "../checks.js";
import { choice, quoted, scale, story, words } from "./parts.js";

/** @import { Sheet } from "../types.js" */

const four = scale(
  ["eval", "Evaluation mode"],
  ["grad", "No gradients"],
  ["greedy", "Greedy"],
  ["seed", "The seed"],
);

/** @type {Sheet} */
export const fourThings = {
  name: "four-things",
  title: "Four switches that are mixed up",
  about: "Evaluation mode, no gradients, greedy and seed: which does what, and which of them this engine has at all.",
  minutes: 15,
  model: "any",
  steps: [
    {
      id: "names",
      title: "Which is which",
      text: [
        "A training library has layers that behave differently while training: dropout, for one, throws away random parts of the activations. Evaluation mode makes such layers stand still.",
        "The same library notes down every operation, so that it can compute gradients later. That can be switched off too.",
        "Neither says anything about how the next token is picked.",
      ],
      questions: [
        {
          id: "dropout",
          question: "Scores differ from call to call, on identical ids, in one program. Which switch was forgotten?",
          field: four,
          right: () => "eval",
          why: () => "Dropout is still on: each call throws away something else.",
          hint: "The scores themselves differ, before anything is picked.",
        },
        {
          id: "memory",
          question: "Scores are right, but memory grows with every call until it is full. Which one?",
          field: four,
          right: () => "grad",
          why: () => "The library keeps all intermediate results for gradients that nobody will ask for.",
          hint: "What is kept, and for what?",
        },
      ],
    },
    {
      id: "engine",
      title: "What this engine has",
      text: [
        "This engine can only run. It has no dropout, and it computes no gradients at all: there is nothing to switch off. What follows can be measured.",
      ],
      predict: {
        question: "The scores of one prompt, asked for ten times: what is the largest difference?",
        field: scale(["zero", "Exactly 0"], ["some", "More than 0"]),
        outcome: ({ largest }) => (largest === 0 ? "Exactly 0, in every one of ten calls." : `${shown(largest)}.`),
        right: ({ largest }) => (largest === 0 ? "zero" : "some"),
      },
      measure: {
        label: "Ask ten times",
        run: async (bench) => {
          const { ids } = await bench.tokenize(story);
          const first = await bench.logits(ids);
          let largest = 0;
          for (let n = 1; n < 10; n++) largest = Math.max(largest, largestDifference(first, await bench.logits(ids)));
          return { largest };
        },
      },
      questions: [
        {
          id: "means",
          question: "So on this page, evaluation mode is",
          field: choice(
            ["always", "always on, for there is no other mode"],
            ["off", "off, for nothing sets it"],
            ["greedy", "on when Greedy is on"],
          ),
          right: ({ largest }) => (largest === 0 ? "always" : "off"),
          why: () => "A property of the engine, not of the model: the same weights in a training library can do both.",
          hint: "Would ten calls agree if something were thrown away at random?",
        },
      ],
    },
    {
      id: "greedy",
      title: "Greedy",
      text: ["Greedy takes the highest score. Change the seed under it."],
      sets: [
        {
          id: "first",
          label: "Set Greedy, seed 1, and run",
          said: "Set: Greedy, seed 1. It runs now.",
          prompt: story,
          controls: { greedy: true, seed: 1, maxNewTokens: 16 },
          generate: true,
        },
        {
          id: "second",
          label: "The same with seed 2",
          said: "Set: Greedy, seed 2. It runs now.",
          prompt: story,
          controls: { greedy: true, seed: 2, maxNewTokens: 16 },
          generate: true,
        },
      ],
      predict: {
        question: "Two greedy runs with the seeds 1 and 2 make",
        field: choice(["same", "the same text"], ["differ", "different texts"]),
        outcome: ({ parts, text }) => (parts === null ? `The same: ${quoted(text)}` : `They part at token ${shown(parts)}.`),
        right: ({ parts }) => (parts === null ? "same" : "differ"),
      },
      measure: {
        label: "Run both",
        run: async (bench) => {
          const one = await bench.generate({ seed: 1 });
          const two = await bench.generate({ seed: 2 });
          return { parts: firstDifference(one.newIds, two.newIds), text: one.text };
        },
      },
      questions: [
        {
          id: "eval",
          question: "A program sets evaluation mode and no gradients, and then draws tokens without a seed. Is its text the same every time?",
          field: choice(["no", "No: neither switch touches the drawing"], ["yes", "Yes: evaluation mode makes it deterministic"]),
          right: () => "no",
          why: () => "The scores are the same every time, the draw is not.",
          hint: "Which of the four decides how a token is drawn?",
        },
      ],
    },
    {
      id: "seed",
      title: "The seed",
      text: ["Now with Greedy off: the same seed twice, and then another."],
      predict: {
        question: "Which pairs make the same 24 tokens?",
        field: choice(
          ["same", "The same seed twice; another seed differs"],
          ["all", "All: the scores are the same"],
          ["none", "None: drawing is chance"],
        ),
        outcome: ({ again, other }) =>
          `The same seed twice: ${again === null ? "no difference" : `parts at token ${shown(again)}`}. Another seed: ${other === null ? "no difference" : `parts at token ${shown(other)}`}.`,
        right: ({ again, other }) => (again !== null ? "none" : other === null ? "all" : "same"),
      },
      measure: {
        label: "Run all three",
        run: async (bench) => {
          const run = (/** @type {number} */ seed) => bench.generate({ settings: {}, seed, maxNewTokens: 24 });
          const [one, again, other] = [await run(1), await run(1), await run(2)];
          return { again: firstDifference(one.newIds, again.newIds), other: firstDifference(one.newIds, other.newIds) };
        },
      },
      questions: [
        {
          id: "not",
          question: "What does a seed not do?",
          field: choice(
            ["scores", "Change the scores"],
            ["draw", "Fix which numbers are drawn"],
            ["repeat", "Make a run of this page repeatable"],
          ),
          right: () => "scores",
          why: () => "It feeds the draw alone, after everything that the model had to say.",
          hint: "Change the seed on the page and watch the bars: what moves, and what stays?",
        },
      ],
    },
    {
      id: "table",
      title: "One line each",
      text: ["Look back at the four."],
      questions: [
        {
          id: "pick",
          question: "Which of them decides how the next token is picked, once the scores are there?",
          field: four,
          right: () => "greedy",
          why: () => "Greedy or drawing is the rule. A seed only feeds a draw, where there is one.",
          hint: "Two of the four act before the scores are there, and one only feeds a draw.",
        },
        {
          id: "own",
          question: "Write one line for each of the four: what would go wrong without it?",
          field: words,
          why: () => "Evaluation mode: scores that jitter. No gradients: memory. Greedy: no fixed rule. Seed: no repeatable draw.",
        },
      ],
    },
  ],
};
