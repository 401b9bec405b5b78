/** What can be told of a loaded model: whether it is computed rightly, and whether its tokenizer belongs to it. */
/** @import { Catalogue, LoadedModel, PageError } from "../messages.js" */
import { count, plural } from "../format.js";
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
  const expected = tolerance === null ? "every bit as published" : `at most ${tolerance} from the published scores`;
  return {
    code: "wrongResults",
    message: `${title} was loaded whole, but this browser computes other scores from it than it must.`,
    details: {
      subject: `scores after ${plural(tokens, "known token")}`,
      expected,
      found: `up to ${largestDifference.toPrecision(3)} from them`,
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
  if (entries === null) return { verdict: "none", sentence: "There is no tokenizer: only token ids can be used." };
  if (beyond > 0) {
    const words = beyond === 1 ? "token of the tokenizer has" : "tokens of the tokenizer have";
    return {
      verdict: "foreign",
      sentence: `${count(beyond)} ${words} no row in the model, which has ${count(rows)}: text with them cannot be run.`,
    };
  }
  const digest = files.find(({ name }) => name === TOKENIZER)?.sha256;
  const hasWeights = (/** @type {Catalogue["models"][number]} */ entry) =>
    Object.entries(entry.files).some(
      ([name, { sha256 }]) => isWeights(name) && files.some((file) => file.sha256 === sha256),
    );
  const owner = catalogue?.models.find(hasWeights);
  if (owner) {
    return owner.files[TOKENIZER]?.sha256 === digest
      ? { verdict: "published", sentence: `Both are the published ones of ${owner.title}, by their SHA-256.` }
      : {
          verdict: "foreign",
          sentence: `By their SHA-256 the weights are those of ${owner.title}, and the tokenizer is not.`,
        };
  }
  const other = catalogue?.models.find((entry) => entry.files[TOKENIZER]?.sha256 === digest);
  const whose = other ? ` It is ${other.title}'s, by its SHA-256.` : "";
  if (entries < rows * LEAST_SHARE) {
    return {
      verdict: "foreign",
      sentence: `The tokenizer has ${count(entries)} tokens and the model ${count(rows)} rows, so most have no text.${whose}`,
    };
  }
  return {
    verdict: "possible",
    sentence: `Every token has a row, and ${plural(rows - entries, "row")} of ${count(rows)} ${rows - entries === 1 ? "has" : "have"} no text.${whose} Whether the rows mean these tokens cannot be told from the files: sizes that fit are no proof.`,
  };
}
