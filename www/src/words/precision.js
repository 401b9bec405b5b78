/** Words of the precision panel: five meanings of precision, and precisions compared on one text. */

import { atMost, count, counted } from "../format.js";
import { inLanguage } from "./language.js";

/** @typedef {(text: string) => unknown} Bold a word that stands out */

const tokens = (/** @type {number} */ n) => counted(n, { one: "token", other: "tokens" });

export const words = inLanguage("precision", {
  intro:
    "“The model runs in F16” can mean five different things. Read which hold for this model, compare Q4 with F32 on one text, then type a number and see which bits each format stores of it.",
  headings: {
    meanings: "Five meanings of precision, in the running model",
    compare: "Precisions compared on one text",
    number: "The bits of a number",
    blocks: "One scale, or a scale for each block",
    packed: "Bytes of packed weights",
  },

  // ------------------------------------------------------------------------------------------------- five meanings

  noAnswer: "The engine has not answered yet.",
  /**
   * What runs. @param {string} model @param {string} kernel @param {boolean} relaxed @param {string} weights
   * @param {string} kvCache
   */
  build: (model, kernel, relaxed, weights, kvCache) =>
    `${model}: kernel ${kernel}, engine ${relaxed ? "with relaxed SIMD" : "exact"}, weights ${weights}, KV cache ${kvCache}. Choose others under “About ${model}” at the top of the page, and this table changes.`,
  meaningColumns: ["Part of the model", "Format", "How"],
  /** @param {number} n from 0 @param {string} name */
  meaning: (n, name) => `${n + 1}. ${name}`,

  // ---------------------------------------------------------------------------------------------------- comparison

  /** What the comparison reads at first, which the models know. */
  sampleText:
    "Once there was a small boat that lived by the sea. Every morning it went out with an old man to catch fish. One day the " +
    "wind was strong and the waves were high. The little boat was afraid, but the man said that they would go slowly and come " +
    "home together. They went slowly, and when the sun came out they saw the harbour again. The boat was happy, and the man " +
    "gave it a new red flag.",
  /** Rows, by the engine's names. */
  rows: {
    f32: "F32",
    f16: "F16",
    bf16: "BF16",
    int8: "INT8",
    "head=int8": "INT8, output head only",
    q4: "Q4",
    "cache=f16": "F16 KV cache",
  },
  text: "Text that all of them read",
  usePrompt: "Use the prompt above",
  choices: "Precisions to compare",
  choose: "Choose a precision.",
  hint: "One after the other, each made from the kept checkpoint and dropped again; the tab keeps the memory that the largest took.",
  noTokenizer: "This model has no tokenizer, so it cannot read a text.",
  compare: "Compare",
  stopWhat: "the comparison of precisions",
  theModel: "the model",
  /** @param {string} row @param {number} n from 0 @param {number} of @param {number} share from 0 to 1 */
  progress: (row, n, of, share) => `${row}, row ${n + 1} of ${of}, ${atMost(Math.floor(share * 100), 0)} %`,
  /** @param {number} rows @param {number} read */
  compared: (rows, read) => `${counted(rows, { one: "precision", other: "precisions" })} compared on ${tokens(read)}.`,
  /** @param {string} sentence */
  stopped: (sentence) => `Stopped: ${sentence}`,

  /** @param {string} model @param {string} kernel @param {number} read */
  says: (model, kernel, read) => `${model}, kernel ${kernel}, ${tokens(read)}.`,
  /** @param {number} rows @param {number} asked */
  stoppedAfter: (rows, asked) => `Stopped after ${count(rows)} of ${count(asked)} rows.`,
  outdated: "Model, kernel or text have changed since.",
  notAvailable: "not available",
  /** @param {string | null} why */
  refused: (why) => `Not compared: ${why ?? ""}`,
  columns: {
    row: "Precision",
    weights: "Weights",
    kvCache: "KV cache a token",
    largestError: "Largest logit error",
    rmsError: "RMS logit error",
    divergence: "KL, nats",
    agreement: "Same first token",
    perplexity: "Perplexity",
    prefill: "Prefill, tokens/s",
    decode: "Decode, tokens/s",
  },
  /** @param {string} size */
  scales: (size) => ` scales ${size}`,
  /** @param {number} n */
  bytes: (n) => `${count(n)} B`,
  certain: "100 %",
  /** @param {number} lowest @param {number} highest */
  range: (lowest, highest) => ` ${count(lowest)}–${count(highest)}`,

  notesHeading: "What the columns mean",
  notes: {
    /** @param {Bold} bold */
    bytes: (bold) => [
      bold("Weights"),
      ": bytes as the kernel keeps them, the part that is scales named. ",
      bold("KV cache a token"),
      ": keys and values of one position.",
    ],
    /** @param {Bold} bold */
    logits: (bold) => [
      bold("Logit error"),
      ": difference from the F32 row's logit of the same token at the same position, the largest, and the root mean square over positions and vocabulary.",
    ],
    /** @param {Bold} bold */
    chances: (bold) => [
      bold("KL"),
      ": how far the chances are from F32's, in nats, mean over the positions; 0 means equal chances. ",
      bold("Same first token"),
      ": share of the positions.",
    ],
    /** @param {Bold} bold */
    perplexity: (bold) => [
      bold("Perplexity"),
      " of the text: of how many equally likely tokens each next one could have been one. It counts tokens, so a figure of another tokenizer cannot be compared with it: the same text is then another number of tokens. On one short text a rounded model may come out lower than F32 by chance.",
    ],
    /** @param {Bold} bold @param {number} prefillTokens @param {number} decodeSteps @param {number} repeats */
    speed: (bold, prefillTokens, decodeSteps, repeats) => [
      bold("Speed"),
      `: prefill is the first ${tokens(prefillTokens)} at once and the head for the last of them; decode is ${counted(decodeSteps, { one: "further token", other: "further tokens" })}, one at a time, each with its head. Sampling is in neither. Median of ${count(repeats)} after a first pass that does not count, lowest and highest beside it. The rows ran one after the other in this tab, so whatever else the machine did in between counts too: do not name a winner where the ranges overlap, and compare again before you trust one.`,
    ],
  },
});
