/** Sheet 13: several requests in one operation: padding, positions, draws, and who waits for whom. */

import { atMost } from "../../format.js";
import { argmax, rowOf } from "../bench.js";
import { shown } from "../checks.js";
import { choice, listed, number, plain, quoted, words } from "./parts.js";

/** @import { Setting, Sheet } from "../types.js" */

const prompts = ["The ship", "Once upon a time there was", "The old man looked at the little house and"];
const uniforms = [0.15, 0.85];
/** @type {Setting} */
const panel = { id: "batch", label: "Open Batch", said: "The Batch panel is open below: it runs prompts like these as one batch.", panel: "batch" };

/** @type {Sheet} */
export const batching = {
  name: "batching",
  title: "Several requests at once",
  about: "Padding, the right position, one's own random numbers, and why more throughput may mean a longer wait.",
  minutes: 20,
  model: "any",
  steps: [
    {
      id: "padding",
      title: "A rectangle",
      text: [
        `Three prompts in one batch: ${prompts.map(quoted).join(", ")}. A rectangle has rows of one length, so the shorter ones are padded.`,
      ],
      sets: [panel],
      measure: {
        label: "Tokenize the three",
        run: async (bench) => {
          const lengths = [];
          for (const prompt of prompts) lengths.push((await bench.tokenize(prompt)).ids.length);
          const longest = Math.max(...lengths);
          return { lengths, padding: lengths.reduce((sum, length) => sum + longest - length, 0), cells: longest * lengths.length };
        },
      },
      shows: ({ lengths }) => [`The three prompts have ${listed(lengths)} tokens.`],
      questions: [
        {
          id: "padding",
          question: "How many cells of the rectangle are padding?",
          field: number("cells", "cell"),
          right: ({ padding }) => Number(padding),
          why: ({ padding, cells }) => `${shown(padding)} of ${shown(cells)}. A kernel that does not skip them computes them all.`,
          hint: "Press Tokenize the three, and fill each row up to the longest.",
        },
        {
          id: "mask",
          question: "What does a mask do about it?",
          field: choice(
            ["ignore", "Attention ignores the padding; the work may be done all the same"],
            ["skip", "It makes every kernel skip the padding"],
          ),
          right: () => "ignore",
          why: () => "A mask is about what is right. Whether time is saved is the kernel's affair.",
          hint: "A mask marks cells. Who decides whether to compute them?",
        },
      ],
    },
    {
      id: "position",
      title: "The last column",
      text: [
        "A batch loop takes the scores of the last column. Pad at the right, and for a short row that column lies behind its prompt.",
        "This step pads the first prompt with 4 end tokens at the right, and reads both positions.",
      ],
      predict: {
        question: "The best next token at the last column and at the prompt's own last token:",
        field: choice(["same", "the same"], ["other", "different ones"]),
        outcome: ({ own, column, ownText, columnText }) =>
          own === column
            ? `The same, id ${shown(own)}: here the mistake would go unnoticed.`
            : `Different: ${quoted(ownText)} after the prompt, ${quoted(columnText)} after the padding.`,
        right: ({ own, column }) => (own === column ? "same" : "other"),
      },
      measure: {
        label: "Read both positions",
        run: async (bench) => {
          const { ids } = await bench.tokenize(prompts[0]);
          const padded = [...ids, ...Array(4).fill(bench.model.card.eosTokenId ?? 0)];
          const logits = await bench.logits(padded, { positions: "all" });
          const top = (/** @type {number} */ position) => argmax(rowOf(logits, position, bench.vocabulary));
          const [own, column] = [top(ids.length - 1), top(padded.length - 1)];
          const [ownText, columnText] = (await bench.detokenize([own, column])).pieces;
          return { own, column, ownText, columnText };
        },
      },
      questions: [
        {
          id: "left",
          question: "Why do generation libraries pad at the left?",
          field: choice(
            ["end", "So that every row ends with its own last token"],
            ["less", "So that there is less padding"],
            ["mask", "So that no mask is needed"],
          ),
          right: () => "end",
          why: () => "One rule, the last column, then fits all rows. It is a convention of the loop, no law of the model.",
          hint: "What stands in the last column of each row, then?",
        },
      ],
    },
    {
      id: "stream",
      title: "One stream of random numbers",
      text: [
        "Two requests draw from one stream: the first row takes the first number, the second row the next. The rows are then put into the other order, to sort them by length.",
        `The engine draws both requests' next token with the numbers ${uniforms.map((uniform) => atMost(uniform, 4)).join(" and ")}, in both orders.`,
      ],
      predict: {
        question: "Does the order change which tokens the requests get?",
        field: choice(["yes", "Yes, at least for one of them"], ["no", "No"]),
        outcome: ({ first, second }) => `In the first order: ${listed(first)}. In the other: ${listed(second)}.`,
        right: ({ changed }) => (changed ? "yes" : "no"),
      },
      measure: {
        label: "Draw in both orders",
        run: async (bench) => {
          const pick = async (/** @type {string} */ prompt, /** @type {number} */ uniform) => {
            const logits = await bench.logits((await bench.tokenize(prompt)).ids);
            return (await bench.detokenize([(await bench.step(logits, {}, { uniform })).draw.id])).pieces[0];
          };
          const first = [await pick(prompts[1], uniforms[0]), await pick(prompts[2], uniforms[1])];
          const second = [await pick(prompts[1], uniforms[1]), await pick(prompts[2], uniforms[0])];
          return { first: first.map(quoted), second: second.map(quoted), changed: first.join("|") !== second.join("|") };
        },
      },
      questions: [
        {
          id: "mend",
          question: "What mends it?",
          field: choice(
            ["own", "A seed for each request"],
            ["more", "A longer stream"],
            ["greedyless", "A higher temperature"],
          ),
          right: ({ changed }) => (changed ? "own" : "more"),
          why: () => "Then a request's numbers do not depend on who else is there.",
          hint: "Whose numbers should a request depend on?",
        },
      ],
    },
    {
      id: "names",
      title: "Whose answer is it?",
      text: ["Rows are sorted by length, filled up, finished in another order."],
      questions: [
        {
          id: "ids",
          question: "What keeps each answer with its request?",
          field: choice(
            ["id", "A name of the request that goes with its row"],
            ["place", "The row's place in the batch"],
            ["length", "The length of the answer"],
          ),
          right: () => "id",
          why: () => "A mix-up looks perfectly fine: good text, sent to the wrong person.",
          hint: "Which of them survives sorting?",
        },
      ],
    },
    {
      id: "wait",
      title: "Throughput and waiting",
      text: [
        "On paper: alone, each of three requests takes 100 ms. As a batch of three they take 180 ms together, and all are ready at its end.",
      ],
      questions: [
        {
          id: "throughput",
          question: "Requests per second, in the batch?",
          field: number("requests/s"),
          right: () => 3 / 0.18,
          tolerance: 0.1,
          why: () => `${plain(16.7)} against 10 when run one after the other.`,
          hint: `Three requests in ${plain(0.18)} seconds.`,
        },
        {
          id: "first",
          question: "By how many ms does the first request wait longer than if run alone?",
          field: number("ms"),
          right: () => 180 - 100,
          why: () => "More is done in a second, and the first one in the queue waits longer. Waiting for the batch to fill comes on top.",
          hint: "It would have been ready after 100 ms.",
        },
        {
          id: "own",
          question: "When would you admit new requests while others are still running, and what becomes harder to predict then?",
          field: words,
          why: () => "Rows that finish make room at once. How long one request takes depends on who came meanwhile.",
        },
      ],
    },
  ],
};
