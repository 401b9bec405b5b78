/** Sheet 4: what a KV cache keeps, what it spares, and what it must not change. */

import { firstDifference, largestDifference } from "../bench.js";
import { shown } from "../checks.js";
import { choice, number, plain, quoted, scale, story, words } from "./parts.js";

/** @import { Sheet } from "../types.js" */

/** @type {Sheet} */
export const cache = {
  name: "cache",
  title: "The KV cache",
  about: "Kept keys and values spare work and must change nothing: count the work, compare the scores.",
  minutes: 20,
  model: "any; the longer contexts of Pythia-14M show the times more clearly",
  steps: [
    {
      id: "text",
      title: "With and without",
      text: [
        "A decode step needs keys and values of all earlier tokens in every layer. They can be kept from earlier calls (the cache), or computed again for each new token.",
      ],
      predict: {
        question: "The same greedy run of 16 tokens, once with the cache and once without. What about the two texts?",
        field: choice(["same", "The same tokens"], ["differ", "They part somewhere"]),
        outcome: ({ parts, text }) =>
          parts === null ? `The same tokens: ${quoted(text)}` : `They part at new token ${shown(parts)}.`,
        right: ({ parts }) => (parts === null ? "same" : "differ"),
      },
      measure: {
        label: "Run both",
        run: async (bench) => {
          const kept = await bench.generate({ maxNewTokens: 16, cache: true });
          const again = await bench.generate({ maxNewTokens: 16, cache: false });
          return {
            parts: firstDifference(kept.newIds, again.newIds),
            text: kept.text,
            keptCalls: kept.forwardCalls,
            againCalls: again.forwardCalls,
          };
        },
      },
      questions: [
        {
          id: "calls",
          question: "How many forward calls did the run without the cache take?",
          field: number("calls", "call"),
          right: ({ againCalls }) => Number(againCalls),
          why: ({ keptCalls, againCalls }) =>
            `${shown(againCalls)}, and with the cache ${shown(keptCalls)}. It is not the calls that are spared but the work in each.`,
          hint: "One call a token, cache or no cache. How many tokens?",
        },
      ],
    },
    {
      id: "work",
      title: "Count the positions",
      text: [
        "Count how many positions go through the layers. With the cache: the prompt once, then one for each call. Without: all ids so far, at every call.",
        "Take a prompt of 6 tokens and 8 new ones. The last new token is never run.",
      ],
      questions: [
        {
          id: "with",
          question: "With the cache: how many positions in all 8 calls together?",
          field: number("positions", "position"),
          right: () => 6 + (8 - 1) * 1,
          why: () => "6 in the prefill and 7 steps of 1.",
          hint: "Eight calls: one of six positions, the others of one each.",
        },
        {
          id: "without",
          question: "Without it?",
          field: number("positions", "position"),
          right: () => [6, 7, 8, 9, 10, 11, 12, 13].reduce((sum, n) => sum + n),
          why: () => "6 + 7 + 8 + … + 13. Twice the text is about four times the work.",
          hint: "The first call runs 6 positions, the second 7, the eighth 13.",
        },
      ],
    },
    {
      id: "difference",
      title: "The same scores?",
      text: [
        "A cache that is right gives the scores that a fresh computation gives. Give both paths the very same ids, and compare the scores of the last position.",
      ],
      predict: {
        question: "The largest difference between the two, over the whole vocabulary, will be",
        field: scale(["zero", "exactly 0"], ["small", "small, but not 0"], ["large", `larger than ${plain(0.1)}`]),
        outcome: ({ largest }) =>
          largest === 0
            ? "Exactly 0: this kernel adds in the same order on both paths, so every bit agrees. That is a property of this engine, no law."
            : `${shown(largest)}. Sums that are made in another order end in other last digits.`,
        right: ({ largest }) => (largest === 0 ? "zero" : Number(largest) < 0.1 ? "small" : "large"),
      },
      measure: {
        label: "Compare the scores",
        run: async (bench) => {
          const { newIds } = await bench.generate({ maxNewTokens: 24 });
          const { ids } = await bench.tokenize(story);
          const prefix = [...ids, ...newIds];
          const options = { promptLength: ids.length };
          const kept = await bench.logits(prefix, { ...options, cache: true });
          const fresh = await bench.logits(prefix, { ...options, cache: false });
          return { largest: largestDifference(kept, fresh) };
        },
      },
      questions: [
        {
          id: "prefix",
          question: "Why must both paths get identical ids for this comparison?",
          field: choice(
            ["question", "Other ids are another question, and another answer is then no fault of the cache"],
            ["speed", "Else the times cannot be compared"],
            ["memory", "Else the cache does not fit"],
          ),
          right: () => "question",
          why: () => "Once two free runs have picked different tokens, their scores say nothing about the cache any more.",
          hint: "Suppose two runs had parted at token 5. What would you compare at token 9?",
        },
      ],
    },
    {
      id: "bytes",
      title: "What it costs",
      text: [
        "For every token, each layer keeps one key and one value, each as wide as the model. The model's card has layers and width; a number of the cache takes 4 bytes (F32), or 2 where F16 was chosen.",
      ],
      measure: {
        label: "Measure it",
        run: async (bench) => {
          const run = await bench.generate({ maxNewTokens: 9 });
          const positions = run.ids.length - 1;
          const { numHiddenLayers: layers, hiddenSize: width } = bench.model.card;
          return { perToken: run.memoryBytes.kvUsedBytes / positions, layers, width, positions };
        },
      },
      questions: [
        {
          id: "per-token",
          question: "How many bytes does the cache of this model take for one token?",
          field: number("bytes", "byte"),
          right: ({ perToken }) => Number(perToken),
          why: ({ layers, width, perToken }) =>
            `2 × ${shown(layers)} layers × ${shown(width)} numbers, times the bytes of a number: ${shown(perToken)}. Measured in the engine, not looked up.`,
          hint: "Keys and values are two; times layers; times width; times bytes of a number.",
        },
        {
          id: "two",
          question: "Two people continue two different prompts on one model. What can they share?",
          field: choice(["weights", "The weights, not the cache"], ["cache", "The cache, not the weights"], ["both", "Both"]),
          right: () => "weights",
          why: () => "A cache belongs to one sequence of ids under one set of weights. The weights belong to nobody's text.",
          hint: "What is in the cache was computed from one particular prompt.",
        },
      ],
    },
    {
      id: "learned",
      title: "Not a memory for facts",
      text: [
        "Generating fills a cache. Does it change the model? Ask for the scores of the prompt, let the model write 64 tokens, and ask for the same scores again.",
      ],
      predict: {
        question: "The scores of the prompt afterwards are",
        field: choice(["same", "the same, to the last bit"], ["changed", "a little different"]),
        outcome: ({ largest }) =>
          largest === 0 ? "The same, to the last bit: nothing was learned." : `Different by up to ${shown(largest)}.`,
        right: ({ largest }) => (largest === 0 ? "same" : "changed"),
      },
      measure: {
        label: "Ask before and after",
        run: async (bench) => {
          const { ids } = await bench.tokenize(story);
          const before = await bench.logits(ids);
          await bench.generate({ maxNewTokens: 64 });
          return { largest: largestDifference(before, await bench.logits(ids)) };
        },
      },
      questions: [
        {
          id: "what",
          question: "So what is in the cache?",
          field: choice(
            ["activations", "Intermediate results of this text"],
            ["training", "Small updates of the weights"],
            ["text", "The text, for looking it up"],
          ),
          right: ({ largest }) => (largest === 0 ? "activations" : "training"),
          why: () => "Throw it away and nothing is lost but time.",
          hint: "If weights had changed, so would the scores have.",
        },
      ],
    },
    {
      id: "times",
      title: "The longer, the dearer",
      text: [
        "Time one step near the beginning of a text and one after some hundred tokens, with the cache and without.",
      ],
      sets: [
        { id: "cache", label: "Open the KV cache panel", said: "The KV cache panel is open below.", panel: "cache" },
        { id: "ab", label: "Open A/B", said: "The A/B panel is open below: choose the KV cache there, on one side not used.", panel: "ab" },
      ],
      predict: {
        question: "Which steps grow most with the length of the text?",
        field: choice(["uncached", "Those without the cache"], ["cached", "Those with the cache"], ["none", "Neither"]),
        outcome: ({ keptEarly, keptLate, againEarly, againLate }) =>
          `With the cache ${shown(keptEarly)} ms early and ${shown(keptLate)} ms late a token; without ${shown(againEarly)} ms and ${shown(againLate)} ms.`,
        right: ({ keptEarly, keptLate, againEarly, againLate }) => {
          const kept = Number(keptLate) - Number(keptEarly);
          const again = Number(againLate) - Number(againEarly);
          return again > kept ? "uncached" : "cached";
        },
      },
      measure: {
        label: "Time 96 steps of each",
        run: async (bench) => {
          const kept = await bench.generate({ maxNewTokens: 97, cache: true });
          bench.report("Now without the cache");
          const again = await bench.generate({ maxNewTokens: 97, cache: false });
          const mean = (/** @type {Float64Array} */ steps) => steps.reduce((sum, ms) => sum + ms, 0) / steps.length;
          const [early, late] = [[0, 16], [80, 96]];
          return {
            keptEarly: mean(kept.timingsMs.decodeSteps.slice(...early)),
            keptLate: mean(kept.timingsMs.decodeSteps.slice(...late)),
            againEarly: mean(again.timingsMs.decodeSteps.slice(...early)),
            againLate: mean(again.timingsMs.decodeSteps.slice(...late)),
          };
        },
      },
      questions: [
        {
          id: "own",
          question: "With the cache, what still grows with the text? Write what you see, and why.",
          field: words,
          why: () => "Attention still looks back at every kept key and value, and there are more of them with each token.",
        },
      ],
    },
  ],
};
