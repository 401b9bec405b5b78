/** Words of the models, in the header and below the page, and of what the browser keeps of the page. */

import { atMost, count, counted, dateAndTime, duration, fixed, setting, significant, size } from "../format.js";
import { form, inLanguage } from "./language.js";

/** @import { Hidden } from "./language.js" */

/** What the self-test reads. @param {number} n tokens */
const knownPrompt = (n) => `a prompt of ${counted(n, { one: "token", other: "tokens" })} whose scores are known`;

/** @param {string | null} other model that has this tokenizer */
const whose = (other) => (other === null ? "" : ` It is ${other}'s, by its SHA-256.`);

export const words = inLanguage("models", {
  model: "Model",
  noneYet: "none yet",
  startingAgain: "starting again…",
  notKept: (/** @type {string} */ why) => `Not kept for the next visit: ${why}.`,
  switchToModel: (/** @type {string} */ title) => `Switch to ${title}`,
  /** @param {string} title @param {number} bytes of its weights */
  load: (title, bytes) => `Load ${title}, ${fixed(bytes / 1e6, 0)} MB`,
  fromHub: "from the Hugging Face hub",
  isReady: (/** @type {string} */ title) => `${title} is ready.`,
  isWrong: (/** @type {string} */ title) => `${title} is computed wrongly here.`,
  /** @param {Hidden} hidden @param {string} title */
  switch: (hidden, title) => ["Switch", hidden(` to ${title}`)],
  /** @param {Hidden} hidden @param {string} title */
  switchAllTheSame: (hidden, title) => ["Switch all the same", hidden(` to ${title}`)],
  loading: (/** @type {string} */ title) => `Loading ${title}`,
  phases: { starting: "starting", checking: "checking the file", ready: "ready" },
  /** @param {number} loaded @param {number | null} total @param {number | null} perSecond all in bytes */
  downloading(loaded, total, perSecond) {
    const done = total === null ? size(loaded) : `${size(loaded)} of ${size(total)}`;
    if (!perSecond) return done;
    return `${done}, ${size(perSecond)}/s${total ? `, ${duration((total - loaded) / perSecond)} left` : ""}`;
  },
  tryingAgain: (/** @type {number} */ seconds) => `trying again in ${duration(seconds)}`,
  /** @param {Hidden} hidden @param {string} title */
  cancel: (hidden, title) => ["Cancel", hidden(` loading ${title}`)],
  copyLink: "Copy link",
  linkCopied: "Link copied",
  linkCopiedWithoutModel: "Link copied, without the model",
  copyAddress: "Copy the address bar",

  ownTitle: "Your model",
  /** @param {string} title */
  about: (title) => `About ${title}`,
  card: {
    blocks: "Blocks",
    residualWidth: "Residual width",
    attentionHeads: "Attention heads",
    mlpWidth: "MLP width",
    context: "Context",
    rotaryDimensions: "Rotary dimensions",
    activation: "Activation",
    residual: "Residual",
    embeddings: "Embeddings",
    parameters: "Parameters",
    vocabulary: "Vocabulary",
    tokenizer: "Tokenizer",
    endOfTextId: "End-of-text id",
    weights: "Weights",
    storedAs: "Stored as",
    computedAs: "Computed as",
    kvCache: "KV cache",
    revision: "Revision",
    from: "From",
    kept: "Kept for next time",
    licence: "Licence",
    fetching: "Fetching",
    decoding: "Decoding and checking",
    loading: "Loading into memory",
  },
  tokens: (/** @type {number} */ n) => `${count(n)} tokens`,
  /** @param {number} n @param {number} all */
  ofAHead: (n, all) => `${n} of ${all} a head`,
  parallel: "attention and MLP in parallel",
  inSequence: "one after the other",
  tied: "tied to the head",
  untied: "apart from the head",
  rowsInModel: (/** @type {number} */ n) => `${count(n)} rows in the model`,
  none: "none",
  entries: (/** @type {number} */ n) => `${count(n)} entries`,
  bytes: (/** @type {number} */ n) => `${count(n)} bytes`,
  /** @param {string} precision @param {string} kernel @param {"baseline" | "relaxed"} simd */
  computedAs: (precision, kernel, simd) =>
    `${precision}, ${kernel} kernel, ${simd === "baseline" ? "exact" : "relaxed: the last digits may differ elsewhere"}`,
  shipped: "as shipped with this page",
  notKnown: "not known",
  origins: {
    host: "this page's own host",
    hub: "the Hugging Face hub",
    store: "a copy kept by this browser",
    folder: "a folder by its address",
    files: "files of yours",
  },
  keptHere: "yes",
  keptWithPage: "with the page",
  keptNowhere: "no",
  notKeptBecause: (/** @type {string} */ why) => `no: ${why}`,
  cardAndLicence: "Model card and licence",
  filesOfModel: "Files of the model",
  filesCaption: "Files and their SHA-256",
  columns: { file: "File", bytes: "Bytes", digest: "Digest", sha256: "SHA-256" },
  digests: {
    equal: "as published",
    different: "differs from the published file",
    unknown: "no published digest",
  },
  /** @param {number} tensors @param {number} ignored @param {number} converted @param {number} weightBytes */
  report: (tensors, ignored, converted, weightBytes) =>
    `${count(tensors)} tensors read, ${count(ignored)} ignored, ${count(converted)} converted. Weights take ${size(weightBytes)} of memory.`,
  eachOfThem: "Each of them",
  /** @param {unknown} name @param {string} reason */
  ignored: (name, reason) => [name, ` ignored: ${reason}`],
  /** @param {unknown} name @param {string} from @param {string} to */
  converted: (name, from, to) => [name, ` ${from} → ${to}`],

  checks: {
    computes: "Does this browser compute as it should?",
    belongs: "Do tokenizer and model belong together?",
    fits: "Does it fit into memory?",
  },
  notChecked: "Not checked: no scores of these weights are known beforehand.",
  /** @param {number} n tokens of the prompt @param {number} difference */
  wrong: (n, difference) => `No: on ${knownPrompt(n)} it gave others, up to ${significant(difference, 3)} from them.`,
  /** @param {number} n tokens of the prompt */
  everyBit: (n) => `This browser computes as it should: checked on ${knownPrompt(n)}, every bit is right.`,
  /** @param {number} n tokens of the prompt @param {number} difference @param {number} tolerance */
  within: (n, difference, tolerance) =>
    `This browser computes as it should: checked on ${knownPrompt(n)}; they differ by ${significant(difference, 2)} at most, of ${atMost(tolerance, 10)} allowed for this engine and precision.`,
  /** @param {Record<"totalBytes" | "weightBytes" | "kvCacheBytes" | "tokenizerBytes" | "workBytes" | "limitBytes", number>} need */
  memoryNeed: ({ totalBytes, weightBytes, kvCacheBytes, tokenizerBytes, workBytes, limitBytes }) =>
    `At most ${size(totalBytes)} with the context full, of ${size(limitBytes)} that there may be: ${size(weightBytes)} for the weights, ${size(kvCacheBytes)} for the KV cache, ${size(tokenizerBytes)} for the tokenizer, ${size(workBytes)} for the work.`,
  fit: {
    none: "There is no tokenizer: only token ids can be used.",
    /** @param {number} n tokens without a row @param {number} rows */
    beyond: (n, rows) =>
      `${counted(n, { one: "token of the tokenizer has", other: "tokens of the tokenizer have" })} no row in the model, which has ${count(rows)}: text with them cannot be run.`,
    published: (/** @type {string} */ title) => `Both are the published ones of ${title}, by their SHA-256.`,
    otherTokenizer: (/** @type {string} */ title) =>
      `By their SHA-256 the weights are those of ${title}, and the tokenizer is not.`,
    /** @param {number} entries @param {number} rows @param {string | null} other model that has this tokenizer */
    tooFew: (entries, rows, other) =>
      `The tokenizer has ${count(entries)} tokens and the model ${count(rows)} rows, so most have no text.${whose(other)}`,
    /** @param {number} empty @param {number} rows @param {string | null} other model that has this tokenizer */
    possible: (empty, rows, other) =>
      `Every token has a row, and ${counted(empty, { one: "row", other: "rows" })} of ${count(rows)} ${form(empty, { one: "has", other: "have" })} no text.${whose(other)} Whether the rows mean these tokens cannot be told from the files: sizes that fit are no proof.`,
  },

  engine: "Engine",
  choices: {
    simd: {
      label: "Engine",
      values: { baseline: "exact (default)", relaxed: "relaxed, often faster, may differ in the last digits" },
    },
    precision: {
      label: "Weights",
      values: {
        f32: "F32, exact (default)",
        f16: "F16",
        bf16: "BF16",
        "head=int8": "INT8 for the output head only, not exact",
        int8: "INT8, not exact",
        q4: "Q4, not exact",
      },
    },
    kvCache: { label: "KV cache", values: { f32: "F32, exact (default)", f16: "F16, half the memory, not exact" } },
    kernel: { label: "Kernel", values: { fused: "fused (default)", candle: "candle, the readable reference" } },
  },
  loadingAgain: (/** @type {string} */ title) => `Loading ${title} again.`,

  saved: "Saved models",
  /** @param {number} used @param {number} allowed @param {boolean} persisted in bytes */
  room: (used, allowed, persisted) =>
    `This page keeps ${size(used)} in all; the browser allows it ${size(allowed)}. ${persisted ? "The browser keeps it until you delete it." : "The browser may clear it when the disk fills."}`,
  noneKept: (/** @type {string} */ why) => `No model can be kept: ${why}. Models run from memory all the same.`,
  noneSaved: "None. A model that you load from elsewhere is kept here for the next visit.",
  /** @param {number} bytes @param {number} savedMs @param {boolean} inUse */
  keptOn: (bytes, savedMs, inUse) => `${size(bytes)}, kept on ${dateAndTime(savedMs)}${inUse ? "; in use" : ""}`,
  keptFiles: (/** @type {string} */ title) => `Kept files of ${title}`,
  askDelete: (/** @type {string} */ title) => `Delete the copy of ${title}?`,
  /** @param {number} bytes @param {boolean} inUse */
  deleteQuestion: (bytes, inUse) =>
    `Delete ${size(bytes)}? ${inUse ? "The model in use goes on." : "It can be fetched again."}`,
  /** @param {Hidden} hidden @param {string} title */
  delete: (hidden, title) => ["Delete", hidden(` the copy of ${title}`)],
  /** @param {Hidden} hidden @param {string} title */
  deleteAfterAsking: (hidden, title) => ["Delete…", hidden(` the copy of ${title}`)],
  /** @param {Hidden} hidden @param {string} title */
  keep: (hidden, title) => ["Keep", hidden(` the copy of ${title}`)],
  /** @param {Hidden} hidden @param {string} title */
  verify: (hidden, title) => ["Verify", hidden(` the copy of ${title}`)],
  verifying: (/** @type {number} */ share) => `verifying, ${Math.floor(share * 100)} %`,
  sound: "sound: every file has its size and SHA-256",
  /** @param {string} file that is damaged, where that is known */
  damaged: (file) => `${file || "a file"} is damaged: it is fetched again when the model is next loaded`,
  notVerified: "could not be verified: the engine's code did not start",

  own: "Your own model",
  /** @param {(file: string) => unknown} code */
  ownFiles: (code) => [
    "Any GPT-NeoX checkpoint that fits into memory, such as Pythia 31M, 70M or 160M. It takes ",
    code("config.json"),
    ", ",
    code("tokenizer.json"),
    " and ",
    code("model.safetensors"),
    ", or its parts with ",
    code("model.safetensors.index.json"),
    ". Choose them all at once. Nothing is sent anywhere.",
  ],
  filesOfDevice: "Files of this device",
  orDrop: "Or drop the files, or their folder, anywhere on this page.",
  addressOfFolder: "Address of a folder",
  loadFolder: "Load",
  addressAsIn: "On this page's own host or the Hugging Face hub, as in",
  ownMemory:
    "What it will take of memory is reckoned before its weights are read, and a model that cannot fit is refused with the figures. What was read, ignored and converted, and whether the tokenizer belongs to the model, stands in the model's card above.",

  offline: {
    unknown: "",
    keeping: "Keeping this page and its own model for use without a network…",
    kept: "This page and its own model are kept in this browser: they open without a network.",
    failed: "This page could not be kept for use without a network: it needs its host at each visit.",
    insecure: "Nothing is kept in this browser, because the page's address is plain http: it needs its host at each visit.",
    impossible: "This browser does not keep the page here: it needs its host at each visit.",
  },
  /** @param {number} ms @param {boolean} isolated */
  clockStep: (ms, isolated) => `Clock step ${setting(ms)} ms (${isolated ? "isolated" : "not isolated"}).`,
  newVersion: "New version",
  newVersionReady: "A new version is ready. This one goes on until you reload.",
  reload: "Reload",
  later: "Later",
});
