/** Sheet 9: what has to stay the same for a text to come again, and where two runs part. */

import { firstDifference, largestDifference } from "../bench.js";
import { shown } from "../checks.js";
import { choice, number, plain, quoted, scale, story, words } from "./parts.js";

/** @import { Settings } from "../../protocol.js" */
/** @import { Facts, Sheet } from "../types.js" */

const same = choice(["same", "The same tokens"], ["differ", "They part somewhere"]);

/** @param {Facts} facts */
const partsWords = ({ parts, one, other }) =>
  parts === null
    ? `No difference: ${quoted(one)}`
    : `They part at new token ${shown(parts)}: ${quoted(one)} and ${quoted(other)}.`;
/** @param {Facts} facts */
const partsRight = ({ parts }) => (parts === null ? "same" : "differ");

/** @type {Settings} */
const drawn = { chain: [{ kind: "temperature", value: 0.8 }, { kind: "topP", value: 0.9 }] };
/** @type {Settings} */
const turned = { chain: [{ kind: "topP", value: 0.9 }, { kind: "temperature", value: 0.8 }] };

/** @param {{ newIds: Uint32Array, text: string | null }} one @param {{ newIds: Uint32Array, text: string | null }} other */
const compared = (one, other) => ({
  parts: firstDifference(one.newIds, other.newIds),
  one: one.text,
  other: other.text,
});

/** @type {Sheet} */
export const reproducibility = {
  name: "reproducibility",
  title: "The same again",
  about: "Seed, order, kernel, precision: change one at a time and look for the first token that differs.",
  minutes: 25,
  model: "any; the step on precision loads the weights once more",
  steps: [
    {
      id: "again",
      title: "Everything the same",
      text: ["Prompt, settings, seed, model, engine: nothing is changed between two runs that draw their tokens."],
      predict: {
        question: "Two such runs make",
        field: same,
        outcome: partsWords,
        right: partsRight,
      },
      measure: {
        label: "Run it twice",
        run: async (bench) =>
          compared(
            await bench.generate({ settings: drawn, maxNewTokens: 32 }),
            await bench.generate({ settings: drawn, maxNewTokens: 32 }),
          ),
      },
      questions: [
        {
          id: "enough",
          question: "A colleague has only the seed of that run. Can the text be made again?",
          field: choice(
            ["no", "No: the seed is one part of a whole specification"],
            ["yes", "Yes: a seed identifies a text"],
          ),
          right: () => "no",
          why: () => "The next steps change the other parts one by one, with the same seed.",
          hint: "What else was the same in both runs?",
        },
      ],
    },
    {
      id: "order",
      title: "Another order",
      text: [`The same seed and the same two settings, temperature ${plain(0.8)} and top-p ${plain(0.9)}, but the other way round.`],
      predict: { question: "Over 48 tokens, the two runs make", field: same, outcome: partsWords, right: partsRight },
      measure: {
        label: "Run both orders",
        run: async (bench) =>
          compared(
            await bench.generate({ settings: drawn, maxNewTokens: 48 }),
            await bench.generate({ settings: turned, maxNewTokens: 48 }),
          ),
      },
      questions: [
        {
          id: "first",
          question: "At which new token do they part? Type 0 if they do not.",
          field: number(),
          right: ({ parts }) => Number(parts ?? 0),
          why: () => "Up to there the same numbers were drawn from distributions that were close enough to pick the same.",
          hint: "What the engine said above has it.",
        },
        {
          id: "after",
          question: "How many further differences come after the first?",
          field: choice(
            ["one", "It makes no sense to count: the prefixes are different from there on"],
            ["many", "As many as there are different tokens after it"],
          ),
          right: () => "one",
          why: () => "Two texts that have parted answer different questions. Record the first divergence.",
          hint: "Does the model see the same ids after that?",
        },
      ],
    },
    {
      id: "kernel",
      title: "Another kernel",
      text: [
        "This page has two implementations of the same mathematics: a fused one, and a readable one on the library candle. They add the same numbers in different orders.",
      ],
      predict: {
        question: "The largest difference of their scores, after the story's prompt, will be",
        field: scale(["zero", "exactly 0"], ["small", `below ${plain(0.001)}, but not 0`], ["large", "larger"]),
        outcome: ({ largest }) => `${largest === 0 ? "Exactly 0" : shown(largest)}, over all scores of the vocabulary.`,
        right: ({ largest }) => (largest === 0 ? "zero" : Number(largest) < 0.001 ? "small" : "large"),
      },
      measure: {
        label: "Compare the kernels",
        run: async (bench) => {
          // What candle can compute with too.
          const plain = await bench.holding({ precision: "f32", kvCache: "f32" });
          const { ids } = await plain.tokenize(story);
          const fused = await plain.logits(ids, { kernel: "fused" });
          const candle = await plain.logits(ids, { kernel: "candle" });
          const one = await plain.generate({ kernel: "fused", maxNewTokens: 32 });
          const other = await plain.generate({ kernel: "candle", maxNewTokens: 32 });
          return { largest: largestDifference(fused, candle), ...compared(one, other) };
        },
      },
      questions: [
        {
          id: "greedy",
          question: "Two greedy runs of 32 tokens, one with each kernel: where do they part? Type 0 if they do not.",
          field: number(),
          right: ({ parts }) => Number(parts ?? 0),
          why: ({ parts }) =>
            parts === null
              ? "They do not: no two scores at the top were close enough for so small a difference to turn them round. That is luck, and no promise."
              : "A tiny difference turned round two scores that nearly tied. Everything after that follows from it.",
          hint: "With so small a difference, which tokens could it turn round?",
        },
      ],
    },
    {
      id: "precision",
      title: "Other numbers",
      text: [
        "The same weights stored as INT8: each is rounded to one of 255 steps of its row. A second worker loads them; the page's model stays.",
      ],
      sets: [{ id: "ab", label: "Open A/B", said: "The A/B panel is open below. It compares any two configurations like this.", panel: "ab" }],
      predict: { question: "Greedy, 32 tokens, once as the page has it and once as INT8:", field: same, outcome: partsWords, right: partsRight },
      measure: {
        label: "Load INT8 and compare",
        run: async (bench) => {
          const rounded = await bench.holding({ precision: "int8" });
          const { ids } = await bench.tokenize(story);
          return {
            ...compared(await bench.generate({ maxNewTokens: 32 }), await rounded.generate({ maxNewTokens: 32 })),
            largest: largestDifference(await bench.logits(ids), await rounded.logits(ids)),
          };
        },
      },
      shows: ({ largest }) => [`Largest difference of a score after the prompt: ${shown(largest)}.`],
      questions: [
        {
          id: "where",
          question: "Two colleagues see different greedy texts from “the same model”. Which part of the specification did this step change?",
          field: choice(
            ["weights", "The number format of the weights"],
            ["sampling", "The sampling settings"],
            ["tokenizer", "The tokenizer"],
          ),
          right: () => "weights",
          why: () => "The checkpoint on disk is the same file. What is computed with is not.",
          hint: "Greedy has no settings, and the prompt's ids were the same.",
        },
      ],
    },
    {
      id: "record",
      title: "What to write down",
      text: [
        "A run can be repeated when everything that took part in it is written down. The page's address holds most of it; a record holds all.",
      ],
      sets: [{ id: "records", label: "Open Records", said: "The Records panel is open below: it repeats a record and names the first divergence.", panel: "records" }],
      questions: [
        {
          id: "lacks",
          question: "Which of these is not in a seed, a prompt and a list of settings?",
          field: choice(
            ["engine", "The engine: kernel, number format, version"],
            ["temperature", "The temperature"],
            ["draws", "The numbers that were drawn"],
          ),
          right: () => "engine",
          why: () => "It belongs in every report, beside the model's revision and digests.",
          hint: "Two of the steps before changed it.",
        },
        {
          id: "own",
          question: "Write a specification of your last run that another group could repeat.",
          field: words,
          why: () => "Let a neighbour try it. What they have to ask you is what was missing.",
        },
      ],
    },
  ],
};
