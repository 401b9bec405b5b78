/** Words of the precision panel about numbers: the bits of one, lists with scales, and bytes of packed weights. */

import { atMost, count, counted, decimalMark } from "../format.js";
import { inLanguage } from "./language.js";

export const words = inLanguage("number-formats", {
  infinity: "infinity",
  minusInfinity: "−infinity",
  none: "none",

  // ------------------------------------------------------------------------------------------------- bits of a number

  number: {
    value: "Number",
    largest: "Largest number under its scale (INT8, INT4, NF4)",
    try: "Try",
    /** Buttons; what each of them types is in number-formats.js. */
    tries: {
      tenth: atMost(0.1, 1),
      fraction: "1 + 1/1024",
      third: "1/3",
      hundreds: count(300),
      thousands: count(70_000),
      tiny: "10^−5",
      negative: atMost(-0.3, 1),
    },
    noNumber: "The number: write one such as 0.1, -3e-5, 1/3 or 2^-14.",
    noLargest: "The largest number under the scale: write one above 0.",
    /** @param {string} value */
    read: (value) =>
      `${value} is read as a 64-bit number and rounded to the nearest value of each format, ties to the even pattern. Spacing is the distance to the next larger value in size; the larger the number, the wider it is.`,
    fp8: "The two FP8 formats are those of the OCP 8-bit specification: E4M3 spends no pattern on infinity and one on NaN, so it reaches 448; E5M2 is built like FP16. “FP8” alone says neither which of them is meant nor what scales go with it.",
  },
  kinds: {
    normal: "normal: a leading 1 before the fraction",
    subnormal: "subnormal: no leading 1, so fewer digits",
    zero: "zero",
    infinite: "infinity",
    notANumber: "no number (NaN)",
    code: "a code, times the scale",
    clipped: "beyond the scale: cut to the last code",
  },
  facts: {
    value: "Stored value",
    kind: "Kind",
    exponent: "Exponent",
    error: "Error",
    spacing: "Spacing here",
    spacingFromOne: "Spacing in [1, 2)",
    largest: "Largest",
    overflow: "Larger becomes",
    smallestNormal: "Smallest normal",
    smallestSubnormal: "Smallest subnormal",
    scale: "Scale",
  },
  /** @param {number} stored @param {number} bias */
  exponent: (stored, bias) => `${stored} stored, bias ${bias}`,
  /** @param {string} power @param {string} value */
  spacing: (power, value) => `${power} = ${value}`,
  errors: {
    noNumber: "no number",
    infinite: "infinite",
    exact: "0, exact",
    /** @param {string} error @param {string} percent */
    relative: (error, percent) => `${error}, ${percent} % of the number`,
  },
  /** Bits of a field, for ears. @param {string} field @param {string} bits */
  spokenBits: (field, bits) => `${field}: ${bits}`,
  /** @param {string} field @param {number} n */
  bits: (field, n) => `${field}, ${counted(n, { one: "bit", other: "bits" })}`,

  codeBooks: {
    heading: "Four bits twice: equal steps, or a code book",
    note: "All values that a code of 4 bits names, from −1 to 1 times the largest number under the scale. INT4 has equal steps. NF4 is the code book of QLoRA (Dettmers et al., 2023): quantiles of a normal distribution, so its steps are fine near 0, where most weights are, and coarse at the ends.",
    /** @param {string} name @param {number} n */
    values: (name, n) => `${name}, ${counted(n, { one: "value", other: "values" })}`,
    list: "The values",
    /** A comma between numbers is none of theirs. @param {string} name @param {string[]} values */
    all: (name, values) => `${name}: ${values.join(decimalMark === "," ? "; " : ", ")}`,
  },
  roundTrip: {
    heading: "Saved as FP16, loaded as FP32",
    saved: "Saved as FP16",
    loaded: "Loaded into FP32",
    direct: "For comparison: straight to FP32",
    /** @param {string} step @param {unknown} value @param {string} error */
    step: (step, value, error) => [`${step}: `, value, `, error ${error}`],
    /** @param {string} value */
    exact: (value) => `FP16 holds ${value} exactly, so nothing was lost before saving.`,
    lost: "FP32 stores exactly what FP16 had. What was lost before saving does not come back: the fraction is filled up with zeros, and the error stays.",
    back: "Narrowed to FP16 again, it has the bits that were saved.",
  },

  // -------------------------------------------------------------------------------------------------- lists and scales

  blocks: {
    intro:
      "A code names one of a few values; the scale, the largest number divided by the largest code, says how large they are. One large number widens the steps of all that share its scale. Change a number or the block, and look at the errors.",
    list: "Numbers, apart by spaces, commas or lines",
    size: "Numbers in a block",
    code: "Code",
    /** Codes, in their order. */
    formats: [
      { id: "int8", label: "INT8: 255 values, equal steps" },
      { id: "int4", label: "INT4: 15 values, equal steps" },
      { id: "nf4", label: "NF4: a code book of 16 values" },
      { id: "e4m3", label: "FP8 E4M3" },
      { id: "e5m2", label: "FP8 E5M2" },
    ],
    /** @param {string} part */
    noNumber: (part) => `“${part}” is no number.`,
    noSize: "Numbers in a block: a whole number from 1.",
    oneForAll: "One scale for all",
    /** @param {number} n */
    forEach: (n) => `A scale for each ${count(n)}`,
    scales: "Scales (BF16)",
    /** @param {number} n */
    scaleCount: (n) => counted(n, { one: "scale", other: "scales" }),
    bytes: "Bytes: codes + scales",
    /** @param {number} codes @param {number} scales */
    byteSum: (codes, scales) => `${count(codes)} + ${count(scales)}`,
    largestError: "Largest error",
    rmsError: "RMS error",
    lost: "Numbers that became 0",
    every: "Every number as it is stored",
    columns: ["Number", "One scale", "Scale by block"],
    /** @param {string} error */
    error: (error) => `error ${error}`,
    /** @param {string} error @param {number} block from 0 @param {string} scale */
    errorInBlock: (error, block, scale) => `error ${error}; block ${count(block + 1)}, scale ${scale}`,
  },

  // ------------------------------------------------------------------------------------------------- packed weights

  packed: {
    intro:
      "Codes packed side by side and a scale for each group: the bytes on paper, before alignment, metadata and any other tensor. Q4 of this lab stores its matrices so, with a scale for each 64 weights of a row.",
    weights: "Weights",
    bits: "Bits of a code",
    group: "Weights in a group",
    scale: "Bytes of a scale",
    noWhole: "All four are whole numbers, such as 1048576 or 2^20.",
    columns: ["Part", "Bytes", "MiB (2^20 bytes)"],
    codes: "Codes",
    /** @param {number} groups */
    scales: (groups) => `Scales of ${counted(groups, { one: "group", other: "groups" })}`,
    together: "Together",
  },
});
