/** Sheet 10: what a person waits for, with worked numbers first and a measured run afterwards. */

import { shown } from "../checks.js";
import { choice, number, plain, story, words } from "./parts.js";

/** @import { Bench } from "../bench.js" */
/** @import { Sheet } from "../types.js" */

const timed = 32;

/** Times of one run; of its first and last token counted from the call. @param {Bench} bench @param {{ ids?: number[] }} [options] */
async function timedRun(bench, options = {}) {
  const { timingsMs, newIds, ids } = await bench.generate({ ...options, maxNewTokens: timed });
  const { firstToken, total, prefill, tokenize } = timingsMs;
  return { first: firstToken ?? 0, total, prefill, tokenize, tokens: newIds.length, promptTokens: ids.length - newIds.length };
}

/** @param {number} value */
const ms = (value) => Number(value.toFixed(2));

/** @type {Sheet} */
export const waiting = {
  name: "waiting",
  title: "What a person waits for",
  about: "Time to first token, time between tokens, latency and throughput: four numbers for four questions.",
  minutes: 20,
  model: "any",
  steps: [
    {
      id: "terms",
      title: "A run on paper",
      text: [
        `A request starts at 0. Its first token is there after 200 ms, its eleventh and last after ${plain(1_200)} ms.`,
      ],
      questions: [
        {
          id: "ttft",
          question: "The time to first token?",
          field: number("ms"),
          right: () => 200,
          why: () => "From the start of the request to the first token, whatever lies between.",
          hint: "It stands in the text above.",
        },
        {
          id: "mean",
          question: "The mean time between tokens, after the first?",
          field: number("ms"),
          right: () => (1200 - 200) / (11 - 1),
          why: () => `(${plain(1_200)} - 200) / 10: eleven tokens have ten gaps between them.`,
          hint: "From the first token to the last, over the number of gaps.",
        },
        {
          id: "throughput",
          question: "Output tokens per second, over the whole request?",
          field: number("tokens/s"),
          right: () => 11 / 1.2,
          tolerance: 0.1,
          why: () => `11 / ${plain(1.2)} s. Over another interval it would be another number, so the interval is always named.`,
          hint: "All tokens, over all the time, in seconds.",
        },
      ],
    },
    {
      id: "wrong",
      title: "Two wrong ways",
      text: [`Somebody divides the ${plain(1_200)} ms by 11 tokens and calls it the time between tokens.`],
      questions: [
        {
          id: "high",
          question: "The result is too high. Because of what?",
          field: choice(["prefill", "It spreads the wait for the first token over all of them"], ["last", "It leaves out the last token"]),
          right: () => ((1200 / 11 > 1000 / 10) ? "prefill" : "last"),
          why: () => "With a long prompt the error has no limit.",
          hint: "What happens in the first 200 ms?",
        },
        {
          id: "one",
          question: "A run made a single token. Its mean time between tokens is",
          field: choice(["none", "not available"], ["zero", "0 ms"], ["total", "the whole time"]),
          right: () => "none",
          why: () => "One token has no gap. A zero would look like a very fast engine.",
          hint: "How many gaps are there?",
        },
      ],
    },
    {
      id: "measured",
      title: "A run of this engine",
      text: [`The engine runs the story's prompt to ${timed} new tokens and keeps its clock's times.`],
      sets: [{ id: "timing", label: "Open Timing", said: "The Timing panel is open below: it draws all these times.", panel: "timing" }],
      measure: { label: "Run and time", run: (bench) => timedRun(bench) },
      shows: ({ first, total, tokens }) => [
        `First token after ${shown(ms(Number(first)))} ms, last after ${shown(ms(Number(total)))} ms, ${shown(tokens)} tokens.`,
      ],
      questions: [
        {
          id: "mean",
          question: "Its mean time between tokens, after the first?",
          field: number("ms"),
          right: ({ first, total, tokens }) => (Number(total) - Number(first)) / (Number(tokens) - 1),
          tolerance: 0.02,
          why: () => "A few milliseconds at most. Compare that with how fast anybody reads.",
          hint: "Press Run and time if there are no numbers yet; then as on paper.",
        },
      ],
    },
    {
      id: "long",
      title: "A longer prompt",
      text: [`The same run after a prompt of about 200 tokens, still ${timed} new ones.`],
      predict: {
        question: "Which grows by the larger factor?",
        field: choice(["first", "The time to first token"], ["between", "The time between tokens"]),
        outcome: ({ first, longFirst, between, longBetween }) =>
          `First token: ${shown(ms(Number(first)))} to ${shown(ms(Number(longFirst)))} ms. Between tokens: ${shown(ms(Number(between)))} to ${shown(ms(Number(longBetween)))} ms.`,
        right: ({ first, longFirst, between, longBetween }) =>
          Number(longFirst) / Number(first) > Number(longBetween) / Number(between) ? "first" : "between",
      },
      measure: {
        label: "Time both prompts",
        run: async (bench) => {
          const { ids } = await bench.tokenize(story);
          const length = Math.min(200, Math.floor(bench.model.card.maxPositionEmbeddings / 2));
          const long = Array.from({ length }, (_, n) => ids[n % ids.length]);
          await timedRun(bench);
          const [short, other] = [await timedRun(bench), await timedRun(bench, { ids: long })];
          const between = (/** @type {typeof short} */ run) => (run.total - run.first) / (run.tokens - 1);
          return { first: short.first, longFirst: other.first, between: between(short), longBetween: between(other) };
        },
      },
      questions: [
        {
          id: "who",
          question: "A chat that sends its whole history with each message gets slower to answer from turn to turn. Which number shows it?",
          field: choice(["ttft", "Time to first token"], ["itl", "Time between tokens"], ["out", "Output tokens per second"]),
          right: () => "ttft",
          why: () => "The history is prompt. Reading it comes before the first token.",
          hint: "What part of the work does the history add to?",
        },
      ],
    },
    {
      id: "service",
      title: "What is not in it",
      text: [
        "On this page the request starts when the engine is called. A service has more on the way: a queue, a network, a filter, pieces of text that hold several tokens.",
      ],
      questions: [
        {
          id: "local",
          question: "Which of these is the time of the prefill alone?",
          field: choice(
            ["part", "A part of a service's time to first token"],
            ["all", "A service's time to first token"],
            ["between", "The time between tokens"],
          ),
          right: () => "part",
          why: () => "Say where your clock starts and where it stops; then the number can be compared.",
          hint: "What else does a person wait for before the first word?",
        },
        {
          id: "own",
          question: "A tutor for school children, a nightly summary of a thousand reports: which of the four numbers matters for each, and why?",
          field: words,
          why: () => "Somebody waits for the one, nobody for the other: first token and gaps against throughput.",
        },
      ],
    },
  ],
};
