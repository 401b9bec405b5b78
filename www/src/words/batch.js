/** Words of the panel "Batch". */

import { count, counted, figure, fixed, milliseconds, size } from "../format.js";
import { inLanguage } from "./language.js";

const columns = (/** @type {number} */ n) => counted(n, { one: "column", other: "columns" });
const places = (/** @type {number} */ n) => counted(n, { one: "place", other: "places" });
/** "a", "a and b", "a, b and c". @param {string[]} names */
const listed = (names) =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}`;
/** @param {number} newTokens @param {number} ms */
const made = (newTokens, ms) => `${counted(newTokens, { one: "new token", other: "new tokens" })} in ${milliseconds(ms)}`;
const sooner = "A higher throughput of all does not mean that each gets its answer sooner.";
const sameOrder = "With the rows in the opposite order everybody got the same text.";

export const words = inLanguage("batch", {
  about:
    "Several requests in one operation: shorter prompts are padded on the left until all are equally wide. Run it, and see what " +
    "is computed for nothing, what each request waits, and that nobody's text changes. Then switch on a mistake.",
  run: "Run the batch",
  runWork: "the batch",
  noTokenizer: "This model has no tokenizer, so it reads no prompts.",
  /** What a worker beside the page's is for. */
  batchesRun: "batches run",
  pageSettings: (/** @type {string} */ settings) =>
    `Settings of the page: ${settings}. But how many tokens a request may make is its own.`,
  oneStream: "All rows draw from one random stream, that of the page's seed: whoever is next takes the next number.",
  ownStreams:
    "Each request draws from a random stream of its own, whose seed is the page's plus its place in the list, from 0.",
  noStopStrings: "Stop strings are not looked at here.",
  kernel:
    "Batches run on the candle kernel, which takes F32, F16 or BF16 for all weights and a KV cache in F32; the runs alone are " +
    "made on it too. The page's usual kernel runs one text at a time and is faster at that.",

  /** Of new requests, in turn. */
  names: ["Ada", "Ben", "Cem", "Dia", "Eli", "Fay", "Gus", "Hal"],
  requests: {
    label: "Requests",
    add: "One more request",
    request: (/** @type {number} */ number) => `Request ${number}`,
    /** One that has no name. */
    unnamed: (/** @type {number} */ number) => `request ${number}`,
    name: "Name",
    prompt: "Prompt",
    newTokens: "New tokens, at most",
    remove: "Remove",
    removeWhich: (/** @type {string} */ name) => `Remove ${name}`,
    noName: "A name, so that the result can be told from others.",
    sameName: "Another request has this name.",
    noPrompt: "A prompt of at least one token.",
    wrongNewTokens: (/** @type {number} */ most) => `A whole number of tokens from 1 to ${most}.`,
    wrongRows: (/** @type {number} */ most) => `A whole number of rows from 1 to ${most}.`,
  },

  options: {
    schedule: "Who runs when",
    schedules: {
      one: "All in one batch",
      groups: "Batches of so many rows, in turn",
      continuous: "Continuous: a waiting request takes the place of a finished one",
    },
    rows: "Rows at once",
    sort: "Sort by length, shortest first",
    reversed: "Run it again with the rows in the opposite order",
    mistakes: "Mistakes to switch on",
    rightPadding: "Pad on the right, and read the last column all the same",
    sharedStream: "One random stream for all rows (shows the opposite order too)",
  },

  starting: "A warm-up, then the batch",
  /** @param {number} done @param {number} total */
  runningAt: (done, total) =>
    `${done} of at most ${counted(total, { one: "token", other: "tokens" })}, batch and runs alone`,
  stopped: "Stopped; what there is is shown.",
  outdated: "Made with other requests or options than above",
  incomplete: "Stopped: what follows is not complete",

  /** What stands in front of the sentences. */
  titles: {
    padding: "Padding.",
    reversedOrder: "Order of the rows.",
    work: "Work.",
    admission: "Letting in.",
    throughput: "Throughput.",
    latency: "Latency.",
    order: "Names.",
  },

  notCompared: "No request has been run alone to compare with.",
  /** @param {number} compared @param {number} requests how many there are */
  equal: (compared, requests) =>
    `${compared === requests ? "Every request" : `Each of the ${compared} that were compared`} made in the batch the very tokens that it makes alone.`,
  /** @param {{ name: string, at: number }[]} parted with the new token, from 1 */
  parted: (parted) =>
    `Not what they make alone: ${listed(parted.map(({ name, at }) => `${name} from new token ${at} on`))}.`,

  equallyLong: "All prompts are equally long, so there is no padding to read from.",
  readPadding: (/** @type {string[]} */ names) =>
    `The first new token of ${listed(names)} was read from the last column, which is padding there.`,

  otherOrder: (/** @type {string[]} */ names) =>
    `With the rows in the opposite order ${listed(names)} got another text, from the same prompts, settings and seed.`,
  sameOrder,
  sameOrderGreedy: `${sameOrder} Greedy decoding draws nothing; choose sampling to see the mistake.`,

  /** @param {{ all: number, real: number, padding: number, finished: number }} places @param {number} percent for nothing */
  work: ({ all, real, padding, finished }, percent) =>
    `${places(all)} (a row in a column) went through the model for ${count(real)} real tokens: ${count(padding)} of padding ` +
    `and ${count(finished)} of rows that were finished, ${fixed(percent, 0)} % for nothing. One at a time takes ${count(real)}.`,

  nobodyLetIn: "Nobody was let in or left: nothing was waiting, and nobody finished before the end.",
  /** @param {number} times @param {number} bytes @param {number} ms */
  letIn: (times, bytes, ms) =>
    `The batch was put together anew ${counted(times, { one: "time", other: "times" })}: ${size(bytes)} of KV cache was ` +
    `copied, and with the newcomers' prompts, which are run alone first, the others waited ${milliseconds(ms)}.`,

  /** @param {number} newTokens @param {number} ms */
  untimed: (newTokens, ms) => `${made(newTokens, ms)}.`,
  /** @param {number} newTokens @param {number} ms @param {number} tokensPerSecond */
  together: (newTokens, ms, tokensPerSecond) =>
    `Together: ${made(newTokens, ms)}, ${figure(tokensPerSecond)} tokens a second over all requests.`,
  /** @param {number} ms @param {number} tokensPerSecond @param {number} times as fast is the batch */
  inTurn: (ms, tokensPerSecond, times) =>
    `One at a time on the same kernel: ${milliseconds(ms)}, ${figure(tokensPerSecond)} tokens a second; the batch gave ` +
    `${figure(times)} times that.`,
  slower: "Here what is computed for nothing, and the bookkeeping, cost more than sharing the weights saves.",
  once: "Each was measured once: run it again to see how far that varies.",

  nobodyLonger: `Here nobody waited longer than a run alone takes. ${sooner}`,
  /** @param {string[] | null} names null: all of them @param {{ name: string, ms: number, aloneMs: number }} worst */
  longer: (names, { name, ms, aloneMs }) =>
    `${sooner} ${names === null ? "Everybody" : listed(names)} waited longer than a run of their own takes: ${name} ` +
    `${milliseconds(ms)} in place of ${milliseconds(aloneMs)}, if nobody had been before them.`,

  inOrder: (/** @type {string[]} */ names) => `As given, and in the rows from the top: ${names.join(", ")}.`,
  /** @param {string[]} given @param {string[]} rows */
  reordered: (given, rows) =>
    `As given: ${given.join(", ")}. In the rows from the top: ${rows.join(", ")}. Each result went back to its name.`,

  timesNote:
    "All requests are there at time 0. A latency ends with the request's last token and counts forward passes and picks alone, " +
    "not the page's own work between them. The largest logit difference is that to the run alone, while both had made the same " +
    "tokens: batched products sum in another order, so it need not be 0.",

  chart: {
    title: "What each request waits (ms from the start to its last token)",
    ways: ["in the batch", "alone, nobody before it", "alone, in turn"],
    /** @param {string} name @param {string} way @param {number} ms */
    summary: (name, way, ms) => `The longest: ${name}, ${way}, ${milliseconds(ms)}.`,
    columns: ["Request", "Run", "ms"],
  },

  table: {
    label: "Results by request",
    request: "Request",
    lengths: "Prompt + new tokens",
    latency: "Latency in the batch",
    alone: "Alone: its own run",
    inTurn: "Alone, in turn: with the wait",
    same: "Same as alone",
    difference: "Largest logit difference",
    reversed: "Rows in the opposite order",
    text: "Text",
    seed: (/** @type {number} */ seed) => `seed ${seed}`,
    notFinished: "not finished",
    notRun: "not run",
    notCompared: "not compared",
    everyToken: "yes, every token",
    partsAt: (/** @type {number} */ token) => `no, from token ${token} on`,
    /** @param {number} compared @param {number} tokens */
    over: (compared, tokens) => `over ${compared} of ${tokens}`,
    stopped: "(stopped)",
    ended: (/** @type {string} */ reason) => `(${reason})`,
    aloneText: "alone",
    theSame: "the same",
    otherText: (/** @type {string} */ text) => `other text: ${text}`,
  },

  places: {
    heading: "What stands where",
    batch: "Batch",
    /** Sign and meaning; a sign that is a word stands for any token. */
    legend: {
      padding: ["·", "padding"],
      prompt: ["word", "token of the prompt"],
      new: ["word", "new token, underlined"],
      finished: ["×", "computed although the request was finished"],
    },
    /**
     * @param {string[]} rows names from the top
     * @param {{ startColumns: number, carried: boolean, steps: number, padded: number, finished: number }} layout
     */
    summary: (rows, { startColumns, carried, steps, padded, finished }) =>
      `${counted(rows.length, { one: "row", other: "rows" })}, from the top ${rows.join(", ")}: ${columns(startColumns)} ` +
      `${carried ? "that were computed before and copied" : "of prompts, run together"}, ` +
      `then ${counted(steps, { one: "step", other: "steps" })} of one column. ${places(padded)} of padding, ${finished} of ` +
      "finished rows. A request's last token is picked and not run, so it has no column.",
    label: "Places of the batch",
    row: "Row",
    leftOut: (/** @type {number} */ n) => `${columns(n)} in the middle are left out.`,
    padding: "padding",
    finished: "finished",
    heardNew: "new: ",
  },

  mask: {
    heading: "Attention mask of a row",
    rowOf: "Row of",
    about: (/** @type {string} */ name) =>
      "Each line is a column that asks, each column one that may be looked at: ■ seen, · hidden. A token of " +
      `${name} sees itself and the real tokens before it; no token sees padding. A padding column sees itself, so that its ` +
      "softmax is over something; nothing reads what comes out of it.",
    /** @param {number} shown @param {number} all */
    first: (shown, all) => `The first ${shown} of ${all} columns.`,
    label: "Attention mask",
    column: "Column",
    sees: "Sees columns",
    /** Columns, from 1. @param {number} from @param {number} to */
    range: (from, to) => (from === to ? `${from}` : `${from} to ${to}`),
  },
});
