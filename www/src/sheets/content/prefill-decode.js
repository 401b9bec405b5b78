/** Sheet 2: how many forward calls a text takes, and what each of them is for. */

import { shown } from "../checks.js";
import { argmax, rowOf } from "../bench.js";
import { choice, number, quoted, scale, story, words } from "./parts.js";

/** @import { Sheet } from "../types.js" */

/** @type {Sheet} */
export const prefillDecode = {
  name: "prefill-decode",
  title: "Prefill and decode",
  about: "One call reads the whole prompt, then one call a token: count them, and see which scores are used.",
  minutes: 15,
  model: "any",
  steps: [
    {
      id: "count",
      title: "Count the calls",
      text: [
        "One forward call can read many tokens at once. The engine counts its calls from the prompt to the end of the text.",
        "Predict first. Then the button sets a prompt, Greedy and 8 new tokens, and runs: watch the counts below the text.",
      ],
      sets: [
        {
          id: "run",
          label: "Set 8 tokens and run",
          said: "Set: the story's prompt, Greedy, 8 new tokens, end token ignored. It runs now.",
          prompt: story,
          controls: { greedy: true, maxNewTokens: 8, ignoreEos: true },
          generate: true,
        },
      ],
      predict: {
        question: "How many forward calls do 8 new tokens take altogether, the reading of the prompt included?",
        field: number("calls", "call"),
        outcome: ({ forwardCalls, promptTokens }) =>
          `${shown(forwardCalls)} calls: 1 prefill of ${shown(promptTokens)} tokens, then ${shown(Number(forwardCalls) - 1)} decode steps.`,
        right: ({ forwardCalls }) => Number(forwardCalls),
      },
      measure: {
        label: "Count in the engine",
        run: async (bench) => {
          const run = await bench.generate({ maxNewTokens: 8 });
          return { forwardCalls: run.forwardCalls, promptTokens: run.ids.length - run.newIds.length };
        },
      },
      questions: [
        {
          id: "first",
          question: "Which call gave the scores for the very first new token?",
          field: choice(
            ["prefill", "The prefill itself"],
            ["next", "The first decode step after it"],
            ["both", "Both together"],
          ),
          right: ({ forwardCalls }) => (forwardCalls === 8 ? "prefill" : "next"),
          why: () => "8 tokens from 8 calls works out only if the prefill already pays for one of them.",
          hint: "If it were a later call, 8 tokens would take 9 calls.",
        },
      ],
    },
    {
      id: "twenty",
      title: "The rule",
      text: ["Make a rule of it: N new tokens after a prompt of any length."],
      measure: {
        label: "Count 20 tokens",
        run: async (bench) => ({ further: (await bench.generate({ maxNewTokens: 20 })).forwardCalls - 1 }),
      },
      questions: [
        {
          id: "further",
          question: "How many calls follow the prefill when 20 new tokens are made?",
          field: number("calls", "call"),
          right: ({ further }) => Number(further),
          why: () => "N - 1 of them. The last token is picked and shown; nobody asks the model what comes after it.",
          hint: "The first of the twenty comes without a further call.",
        },
      ],
    },
    {
      id: "last",
      title: "Which row is used",
      text: [
        "A forward call over the prompt can give a row of scores for every position. Row n says what the model expects after token n, and knows nothing of what comes later.",
      ],
      predict: {
        question: "The first new token of a greedy run is the top of which row?",
        field: scale(
          ["first", "That of the first position"],
          ["last", "That of the last position"],
          ["all", "The average of all rows"],
        ),
        outcome: ({ lastTop, picked }) =>
          lastTop === picked
            ? `The last: its top is id ${shown(lastTop)}, and that is what the run picked.`
            : `The run picked id ${shown(picked)}, which is not the top of the last row.`,
        right: ({ lastTop, picked }) => (lastTop === picked ? "last" : "first"),
      },
      measure: {
        label: "Compare with a run",
        run: async (bench) => {
          const { ids } = await bench.tokenize(story);
          const logits = await bench.logits(ids, { positions: "all" });
          const tops = ids.map((_, position) => argmax(rowOf(logits, position, bench.vocabulary)));
          const run = await bench.generate({ maxNewTokens: 1 });
          const inner = tops.slice(0, -1);
          return {
            lastTop: tops.at(-1) ?? -1,
            picked: run.newIds[0],
            inner: inner.length,
            hits: inner.filter((top, n) => top === ids[n + 1]).length,
          };
        },
      },
      questions: [
        {
          id: "inner",
          question: "Rows of earlier positions predict tokens that the prompt already has. How many such rows does this prompt have?",
          field: number("rows", "row"),
          right: ({ inner }) => Number(inner),
          why: ({ hits, inner }) =>
            `And in ${shown(hits)} of these ${shown(inner)} the prompt's own next token is on top. Generation throws these rows away; training learns from all of them.`,
          hint: "Every token of the prompt but the last has a known successor. The tokens are under the prompt on the page.",
        },
      ],
    },
    {
      id: "cost",
      title: "The same tokens, read or written",
      text: [
        "Reading 96 tokens takes one call. Writing 96 tokens takes 96. Both pass each token through the same layers once.",
      ],
      predict: {
        question: "Which takes longer in this engine?",
        field: choice(
          ["read", "Reading 96 tokens in one call"],
          ["write", "Writing 96 tokens, one call each"],
          ["same", "About the same, within a tenth"],
        ),
        outcome: ({ readMs, writeMs }) =>
          `Reading: ${shown(readMs)} ms. Writing: ${shown(writeMs)} ms, sampling not counted.`,
        right: ({ readMs, writeMs }) => {
          const ratio = Number(writeMs) / Number(readMs);
          return ratio > 1.1 ? "write" : ratio < 1 / 1.1 ? "read" : "same";
        },
      },
      measure: {
        label: "Time both",
        run: async (bench) => {
          const run = await bench.generate({ maxNewTokens: 97 });
          // What was written is read again, as a prompt.
          const ids = Array.from(run.newIds.slice(0, 96));
          const read = await bench.generate({ ids, maxNewTokens: 1 });
          return {
            readMs: read.timingsMs.prefill,
            writeMs: run.timingsMs.decodeSteps.reduce((sum, ms) => sum + ms, 0),
          };
        },
      },
      questions: [
        {
          id: "reason",
          question: "Why can a call over many tokens be cheaper than many calls over one?",
          field: choice(
            ["weights", "Each weight is fetched once and used for all of them"],
            ["skip", "It skips layers for the earlier tokens"],
            ["cache", "The cache holds the answers already"],
          ),
          right: () => "weights",
          why: () => "The tokens of a prompt are all known, so the products of one weight with all of them can be made together.",
          hint: "Every token still goes through every layer, and at the start the cache is empty.",
        },
      ],
    },
    {
      id: "watch",
      title: "Watch it once, slowly",
      text: [
        "The button chooses the pace of one step at a time. Press Generate or One token a few times and watch the four stages: tokenize, prefill, decode, text.",
      ],
      sets: [
        {
          id: "step",
          label: "Set one step at a time",
          said: "Set: the story's prompt and the pace of one step. Press One token.",
          prompt: story,
          controls: { greedy: true, maxNewTokens: 8 },
          pace: "step",
        },
        { id: "full", label: "Back to full speed", said: "Set: full speed.", pace: "full" },
      ],
      questions: [
        {
          id: "once",
          question: "Which stages come once for a text, however long it grows?",
          field: choice(
            ["tp", "Tokenize and prefill"],
            ["pd", "Prefill and decode"],
            ["dt", "Decode and text"],
          ),
          right: () => "tp",
          why: () => "The other two come again with every token.",
          hint: "Press One token once more and see which stages light up again.",
        },
        {
          id: "own",
          question: `In your own words: what is left to do after the prefill of ${quoted(story)}?`,
          field: words,
          why: () => "A pick from its last row; then for every further token one call, one pick, one append.",
        },
      ],
    },
  ],
};
