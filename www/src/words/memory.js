/** Words of the memory panel: what is allocated, what more text would take, and a budget to reckon with. */

import { atMost, count, fixed } from "../format.js";
import { inLanguage } from "./language.js";

export const words = inLanguage("memory", {
  /** @param {unknown} mebibyte 2 to the power of 20 */
  intro: (mebibyte) => [
    "A model that runs needs more than its weights. Make the text longer and see which part grows, and which does not. MB is a million bytes, MiB is ",
    mebibyte,
    ` = ${count(2 ** 20)}.`,
  ],
  none: "No model is loaded yet.",
  modelSwitched: "The page's model was switched.",
  units: {
    /** @param {string} decimal @param {string} binary */
    kilo: (decimal, binary) => `${decimal} kB (${binary} KiB)`,
    /** @param {string} decimal @param {string} binary */
    mega: (decimal, binary) => `${decimal} MB (${binary} MiB)`,
    /** @param {string} decimal @param {string} binary */
    giga: (decimal, binary) => `${decimal} GB (${binary} GiB)`,
    /** @param {string} value */
    gib: (value) => `${value} GiB`,
  },

  // ------------------------------------------------------------------------------------------------------ memory now

  nowHeading: "The engine's memory now",
  columns: ["Part", "Size", "Share", "Known how", "What it is"],
  /** @param {number} share from 0 to 1 */
  share: (share) => `${fixed(share * 100, 1)} %`,
  whole: "100 %",
  counted: "counted",
  difference: "the difference",
  measured: "measured",
  wholeMemory: "WebAssembly memory",
  wholeNote: "all that the engine has taken from the browser",
  tooMuch: "More was counted than the memory measures: one of the two figures is wrong.",
  countedNote:
    "Counted means: the lengths of the buffers that are allocated, added up. The parts need not peak at the same time. On candle the tensors of a pass live as long as the pass needs them, so between passes its live activations are the kept hidden states and logits alone.",
  parts: {
    weights: { label: "weights", note: "as the kernel computes with them" },
    copies: {
      label: "weights kept beside",
      note: "the file's own numbers where the kernel has made others of them, and a second kernel's after a comparison",
    },
    kv: {
      label: "KV cache, used",
      /** @param {number} positions */
      note: (positions) => `keys and values of ${count(positions)} positions`,
    },
    reserve: { label: "KV cache, reserved", note: "allocated and not filled yet: room comes in pages" },
    activations: {
      label: "live activations",
      note: "buffers of the forward pass, hidden states that are kept for looking back, logits",
    },
    workspace: { label: "workspace", note: "room of the matrix products, tables of angles, the sampler's ranking" },
    other: {
      label: "other",
      note: "the difference to the measured whole: tokenizer, program, and room that was given back and stays",
    },
  },

  // ------------------------------------------------------------------------------------- four things called memory

  places: {
    heading: "Four things called memory",
    live: "Live: what is in use",
    /** @param {unknown} bytes */
    liveBytes: (bytes) => [bytes, ", counted: weights, used cache, activations, workspace."],
    reserved: "Reserved: what the engine has taken",
    /** @param {unknown} bytes */
    reservedBytes: (bytes) => [
      bytes,
      ", measured. WebAssembly memory grows and never shrinks, so this is also the most that it ever was.",
    ],
    /** @param {string} loaded @param {number} timesWeights @param {string | null} since null: nothing */
    peak: (loaded, timesWeights, since) =>
      `The peak of loading was ${loaded}, ${fixed(timesWeights, 1)} times the weights; ` +
      (since === null ? "nothing was added since." : `${since} were added since, by text and comparisons.`),
    /** @param {string} total @param {string} tokenizer */
    need: (total, tokenizer) =>
      `Before loading, ${total} were reckoned with for a full context, ${tokenizer} of it for the tokenizer.`,
    process: "The process: browser, page, engine",
    device: "The device",
    unseen: "a page cannot see it",
    noHint: "This browser gives no hint. How much of it is free no page can know.",
    /** @param {number} gib */
    hint: (gib) =>
      `The browser's hint is ${atMost(gib, 3)} GiB: rounded to a few steps and cut off at the top, so that it does not single anybody out. How much of it is free no page can know. An accelerator's memory would be a budget of its own; this page uses none.`,
    noMeasure:
      "The operating system knows it. This page is not isolated from others, or this browser has no measure for it, so not even an estimate can be had here.",
    mayAsk:
      "The operating system knows it. This browser estimates its scripts' and workers' part of it; that can take some seconds.",
    ask: "Ask the browser",
    asking: "The browser measures when it next tidies up…",
    refused: "The browser gave no answer.",
    /** @param {unknown} bytes @param {boolean} lessThanEngine */
    estimate: (bytes, lessThanEngine) => [
      bytes,
      ", the browser's estimate for this page with its workers, by rules of its own. ",
      lessThanEngine ? "It is less than the engine's memory alone, so this browser does not count all of that. " : "",
      "The process as a whole takes more.",
    ],
  },

  // ----------------------------------------------------------------------------------------------------- projection

  projection: {
    heading: "Longer texts, more requests",
    /**
     * @param {number} layers @param {number} hiddenSize @param {number} numberBytes @param {unknown} perPosition
     * @param {string} weights
     */
    formula: (layers, hiddenSize, numberBytes, perPosition, weights) => [
      `KV cache of one position: 2 (a key and a value) × ${count(layers)} layers × ${count(hiddenSize)} numbers × ${count(numberBytes)} bytes = `,
      perPosition,
      `. It grows with every position of every request; the weights are shared by all and stay ${weights}.`,
    ],
    context: "Positions in each request",
    batch: "Requests at a time (batch)",
    /** For ears. */
    batchField: "Requests at a time",
    /** @param {number} batch @param {number} context @param {unknown} kv @param {string} weights */
    projected: (batch, context, kv, weights) => [
      `${count(batch)} × ${count(context)} positions: `,
      kv,
      ` of KV cache, beside ${weights} of weights.`,
    ],
    /** @param {number} most */
    tooLong: (most) => `This model has ${count(most)} positions; longer ones are a reckoning only.`,
    cacheIsLarger: "The cache is the larger part.",
    note: "These are the bytes that the entries need. An allocator that takes room in blocks, as this engine does in pages of 64 positions, reserves somewhat more; activations and workspace are not in this sum.",
    chart: "Weights and KV cache (MB) against positions in each request",
    /** @param {number} positions @param {number} batch @param {string} kv */
    summary: (positions, batch, kv) => `At ${count(positions)} positions and a batch of ${count(batch)}: ${kv} of KV cache.`,
    x: "positions in each request",
    y: "MB",
    cache: "KV cache",
    weights: "weights",
    columns: ["Positions", "KV cache", "Weights"],
  },

  // --------------------------------------------------------------------------------------------------------- budget

  budget: {
    heading: "A budget on paper",
    /** @param {unknown} gibibyte 2 to the power of 30 */
    intro: (gibibyte) => [
      "Numbers of an invented device; put in your own. 1 GiB is ",
      gibibyte,
      ` bytes, ${fixed(2 ** 30 / 1e9, 3)} GB.`,
    ],
    columns: ["Part", "GiB"],
    device: "what there is",
    lines: {
      weights: "resident weights",
      cache: "KV cache",
      activations: "live activations, at their peak",
      workspace: "workspace",
      other: "everything else of the runtime",
    },
    /** @param {string} line */
    inGib: (line) => `${line}, in GiB`,
    noGib: "A number of GiB, from 0.",
    sum: "sum",
    margin: "margin",
    /** @param {string} sum @param {string} margin @param {string} weights @param {string} beside @param {number} percent */
    fits: (sum, margin, weights, beside, percent) =>
      `The sum is ${sum}, which leaves a margin of ${margin}. ${leftOut(weights, beside, percent)}`,
    /** @param {string} sum @param {string} lacking @param {string} weights @param {string} beside @param {number} percent */
    overrun: (sum, lacking, weights, beside, percent) =>
      `The sum is ${sum}, which is ${lacking} more than there is. ${leftOut(weights, beside, percent)}`,
    note: "A margin is no guarantee: every line is an estimate, peaks may have been missed, parts may overlap in time or share room, and an allocator may not find its bytes in one piece.",
    reset: "Put the first numbers back",
  },
});

/** @param {string} weights @param {string} beside @param {number} percent */
function leftOut(weights, beside, percent) {
  return `Whoever only asks whether the weights fit looks at ${weights} and leaves out ${beside}, ${count(percent)} % of the sum.`;
}
