/** What can be told of a loaded model: whether it is computed rightly, and whether its tokenizer belongs to it. */
/** @import { Catalogue, LoadedModel, PageError } from "../messages.js" */
import { atMost, counted, significant } from "../format.js";
import { words } from "../words/models.js";
import { isWeights, TOKENIZER } from "./file-names.js";

/** Of a model's rows some have no text for padding, but not most: below this share it is another model's tokenizer. */
const LEAST_SHARE = 0.5;

/**
 * Of a model that failed its self-test.
 *
 * @param {Pick<LoadedModel, "title" | "selfTest">} model
 * @returns {PageError}
 */
export function selfTestFault({ title, selfTest }) {
  const { tolerance = null, largestDifference = 0, tokens = 0 } = selfTest ?? {};
  const expected = tolerance === null ? "every bit as published" : `at most ${atMost(tolerance, 10)} from the published scores`;
  return {
    code: "wrongResults",
    message: `${title} was loaded whole, but this browser computes other scores from it than it must.`,
    details: {
      subject: `scores after ${counted(tokens, { one: "known token", other: "known tokens" })}`,
      expected,
      found: `up to ${significant(largestDifference, 3)} from them`,
    },
  };
}

/**
 * Why the tokenizer of a student's own files cannot be the model's, or null.
 *
 * @param {LoadedModel} model
 * @param {Catalogue | null} catalogue
 * @returns {PageError | null}
 */
export function foreignTokenizerFault(model, catalogue) {
  if (model.origin !== "files" && model.origin !== "folder") return null;
  const { verdict, sentence } = tokenizerFit(model, catalogue);
  if (verdict !== "foreign") return null;
  return { code: "foreignTokenizer", message: sentence, details: { subject: TOKENIZER } };
}

/**
 * Whether tokenizer and model belong together, as far as files can tell: published digests prove it, sizes can only
 * disprove it.
 *
 * @param {Pick<LoadedModel, "card" | "files">} model
 * @param {Catalogue | null} catalogue
 * @returns {{ verdict: "none" | "published" | "foreign" | "possible", sentence: string }}
 */
export function tokenizerFit({ card, files }, catalogue) {
  const { tokenizerEntries: entries, tokenizerIdsBeyond: beyond, vocabSize: rows } = card;
  if (entries === null) return { verdict: "none", sentence: words.fit.none };
  if (beyond > 0) return { verdict: "foreign", sentence: words.fit.beyond(beyond, rows) };
  const digest = files.find(({ name }) => name === TOKENIZER)?.sha256;
  const hasWeights = (/** @type {Catalogue["models"][number]} */ entry) =>
    Object.entries(entry.files).some(
      ([name, { sha256 }]) => isWeights(name) && files.some((file) => file.sha256 === sha256),
    );
  const owner = catalogue?.models.find(hasWeights);
  if (owner) {
    return owner.files[TOKENIZER]?.sha256 === digest
      ? { verdict: "published", sentence: words.fit.published(owner.title) }
      : { verdict: "foreign", sentence: words.fit.otherTokenizer(owner.title) };
  }
  const other = catalogue?.models.find((entry) => entry.files[TOKENIZER]?.sha256 === digest)?.title ?? null;
  return entries < rows * LEAST_SHARE
    ? { verdict: "foreign", sentence: words.fit.tooFew(entries, rows, other) }
    : { verdict: "possible", sentence: words.fit.possible(rows - entries, rows, other) };
}
