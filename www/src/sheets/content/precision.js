/** Sheet 11: a number format is five statements, not one; what rounding costs is measured. */

import { atMost } from "../../format.js";
import { argmax, firstDifference, largestDifference } from "../bench.js";
import { half } from "../bundle.js";
import { shown } from "../checks.js";
import { choice, number, plain, scale, story, words } from "./parts.js";

/** @import { Bench } from "../bench.js" */
/** @import { Facts, Setting, Sheet } from "../types.js" */

/** @type {Setting} */
const panel = { id: "precision", label: "Open Precision", said: "The Precision panel is open below.", panel: "precision" };

/** The page's weights in plain F32 against another format. @param {Bench} bench @param {string} precision @returns {Promise<Facts>} */
async function against(bench, precision) {
  const plain = await bench.holding({ precision: "f32" });
  const other = await bench.holding({ precision, kernel: "fused" });
  const { ids } = await bench.tokenize(story);
  const kernel = "fused";
  const [one, two] = [await plain.logits(ids, { kernel }), await other.logits(ids, { kernel })];
  const run = await plain.generate({ kernel, maxNewTokens: 24 });
  const rounded = await other.generate({ kernel, maxNewTokens: 24 });
  return {
    largest: largestDifference(one, two),
    sameTop: argmax(one) === argmax(two),
    parts: firstDifference(run.newIds, rounded.newIds),
    plainBytes: run.memoryBytes.weightBytes,
    otherBytes: rounded.memoryBytes.weightBytes,
    stored: bench.model.card.report.dtypes[0] ?? "",
  };
}

/** @param {Facts} facts */
const shows = ({ largest, parts, plainBytes, otherBytes, sameTop }) => [
  `Largest difference of a score: ${largest === 0 ? "exactly 0" : shown(largest)}; the best token is ${sameTop ? "the same" : "another"}.`,
  `Greedy texts of 24 tokens: ${parts === null ? "the same" : `they part at token ${shown(parts)}`}.`,
  `Weights in memory: ${shown(plainBytes)} bytes under F32, ${shown(otherBytes)} bytes in the other format.`,
];

/** The value of a half-precision number's bits, for those that are normal. @param {number} bits */
const halfValue = (bits) => (1 + (bits & 1023) / 1024) * 2 ** ((bits >> 10) - 15);

/** @type {Sheet} */
export const precision = {
  name: "precision",
  title: "What “16-bit” can mean",
  about: "Stored weights, activations, operands, sums, results: five formats in one model, and what rounding costs.",
  minutes: 25,
  model: "any; three steps load the weights again in another format",
  steps: [
    {
      id: "five",
      title: "Five questions",
      text: [
        "“The model runs in four bits” can speak of the weights as they are stored, of activations and cache, of the numbers that are multiplied, of the sums, or of the results.",
      ],
      sets: [panel],
      questions: [
        {
          id: "file",
          question: "A checkpoint is 4-bit. Each weight is turned into F32 before it is multiplied. Which of the five is 4-bit?",
          field: choice(["stored", "The stored weights"], ["operands", "The numbers that are multiplied"], ["sums", "The sums"]),
          right: () => "stored",
          why: () => "A small file says nothing about the arithmetic.",
          hint: "Follow one weight from the file to the product.",
        },
        {
          id: "sums",
          question: "A kernel multiplies F16 numbers and adds the products in F32. What do wider sums not do?",
          field: choice(
            ["recover", "Bring back what the operands had lost"],
            ["error", "Reduce the error of adding"],
            ["range", "Keep large sums from overflowing"],
          ),
          right: () => "recover",
          why: () => "Adding carefully helps the adding. The operands were rounded before.",
          hint: "When was the information lost?",
        },
      ],
    },
    {
      id: "spacing",
      title: "The gaps between numbers",
      text: [
        "Between 1 and 2 a format with f fraction bits has 2^f equal steps. FP32 has 23 such bits, FP16 has 10, BF16 has 7.",
      ],
      questions: [
        {
          id: "fp16",
          question: "The gap between neighbours in FP16, between 1 and 2?",
          field: number(),
          right: () => 2 ** -10,
          why: () => `1/1024: ten bits count ${plain(1_024)} equal steps.`,
          hint: "One over 2 to the power of its fraction bits. A fraction such as 1/8 may be typed.",
        },
        {
          id: "bf16",
          question: "And in BF16?",
          field: number(),
          right: () => 2 ** -7,
          why: () => "1/128: eight times as coarse. Its exponent has as many bits as FP32's, so its range is as wide.",
          hint: "Seven fraction bits.",
        },
      ],
    },
    {
      id: "round-trip",
      title: "There and back",
      text: [`Take ${plain(0.1)}, store it as FP16, and load it as FP32, which has thirteen more fraction bits.`],
      predict: {
        question: "What does the FP32 number then say?",
        field: choice(["exact", `${plain(0.1)}, as near as FP32 can say it`], ["rounded", "The rounded FP16 value, with zeros behind"]),
        outcome: ({ back }) => `${atMost(Number(back), 20)}: what FP16 had rounded away does not come back.`,
        right: ({ back }) => (back === Math.fround(0.1) ? "exact" : "rounded"),
      },
      measure: {
        label: "Do it",
        run: async () => ({ back: halfValue(half(0.1)) }),
      },
      questions: [
        {
          id: "error",
          question: `How large is the error, in absolute terms? (${plain(0.00001)} is precise enough.)`,
          field: number(),
          right: ({ back }) => Math.abs(Number(back) - 0.1),
          tolerance: 0.000005,
          why: () => "At most half a gap, as for every number that is rounded to its neighbour.",
          hint: `Subtract what came back from ${plain(0.1)}.`,
        },
      ],
    },
    {
      id: "f16",
      title: "Half the bits, no difference?",
      text: [
        "The model's file stores its weights in 16 bits (its card says which kind). The engine can be told to compute with F32 weights, or with F16 ones.",
      ],
      predict: {
        question: "The largest difference between scores from F32 and from F16 weights will be",
        field: scale(["zero", "exactly 0"], ["small", `below ${plain(0.01)}, but not 0`], ["large", "larger"]),
        outcome: ({ largest, stored }) =>
          largest === 0
            ? `Exactly 0: the file's format is ${String(stored)}, so widening adds only zeros, and both compute with the same numbers.`
            : `${shown(largest)}: the file's format is ${String(stored)}, and F16 rounds it.`,
        right: ({ largest }) => (largest === 0 ? "zero" : Number(largest) < 0.01 ? "small" : "large"),
      },
      measure: { label: "Load both and compare", run: (bench) => against(bench, "f16") },
      shows,
      questions: [
        {
          id: "bytes",
          question: `How many times as many bytes do the weights take in memory under F32 as under F16? (Within ${plain(0.1)}.)`,
          field: number("times", "time"),
          right: ({ plainBytes, otherBytes }) => Number(plainBytes) / Number(otherBytes),
          tolerance: 0.1,
          why: ({ plainBytes, otherBytes }) =>
            Number(plainBytes) / Number(otherBytes) < 1.1
              ? "As many: where F16 gives the very same numbers, this engine keeps the file's 16 bits also under F32, and widens each when it is used. Format of storage and format of arithmetic are two things."
              : "Two bytes a weight in place of four, for all that is kept so.",
          hint: "Divide the two counts of bytes above.",
        },
      ],
    },
    {
      id: "int8",
      title: "Eight bits",
      text: ["INT8 rounds each weight to one of 255 steps, with one scale a row."],
      predict: {
        question: "The best token after the story's prompt will be",
        field: choice(["same", "the same"], ["other", "another"]),
        outcome: ({ sameTop, largest }) =>
          `${sameTop ? "The same" : "Another"}, although a score moved by up to ${shown(largest)}.`,
        right: ({ sameTop }) => (sameTop ? "same" : "other"),
      },
      measure: { label: "Load INT8 and compare", run: (bench) => against(bench, "int8") },
      shows,
      questions: [
        {
          id: "enough",
          question: "The best token is unchanged at one position. Is INT8 therefore good enough?",
          field: choice(
            ["no", "One position is no evidence: look at many, and at the whole distribution"],
            ["yes", "Yes, as only the best token counts"],
          ),
          right: () => "no",
          why: () => "The Precision panel does that: error, KL, agreement and perplexity over a text.",
          hint: "What would a run that draws its tokens notice?",
        },
      ],
    },
    {
      id: "packed",
      title: "Four bits and their scales",
      text: [
        "2^20 weights as 4-bit codes, with one scale of two bytes for every 64 of them.",
      ],
      questions: [
        {
          id: "total",
          question: "How many bytes altogether?",
          field: number("bytes", "byte"),
          right: () => 2 ** 20 / 2 + (2 ** 20 / 64) * 2,
          why: () => `${plain(524_288)} for the codes and ${plain(32_768)} for the scales: ${plain(4.25)} bits a weight, not 4.`,
          hint: "Two codes fit into a byte. How many groups of 64 are there?",
        },
        {
          id: "own",
          question: "Which of the five meanings would you ask a supplier about first, when told “runs in FP8”?",
          field: words,
          why: () => "Any is a good question. Ask for encoding, scaling and what stays wider, too.",
        },
      ],
    },
  ],
};
