/** Sheet 1: a model is a bundle of files that belong together, and a bundle that loads is not yet one that fits. */

import { shown } from "../checks.js";
import { perplexity } from "../bench.js";
import { fileNamed, withFiles } from "../bundle-files.js";
import { permutedTokenizer, untrainedWeights } from "../bundle.js";
import { choice, listed, number, quoted, scale, story } from "./parts.js";

/** @import { Bench, Handle } from "../bench.js" */
/** @import { Sheet } from "../types.js" */

const seed = 7;
const newTokens = 24;

const ends = scale(
  ["error", "The page reports an error"],
  ["sense", "No error, and the text reads as well as before"],
  ["nonsense", "No error, and the text is nonsense"],
);

/** Above this, the page's own model finds a text so much less likely than its own that no reader calls it sense. */
const senseless = 10;

/** The same greedy run on the page's model and on a changed bundle, and how likely the page's model finds both texts.
 * @param {Bench} bench @param {(files: File[]) => Promise<File[]>} change
 */
async function besides(bench, change) {
  const own = await bench.generate({ maxNewTokens: newTokens });
  const other = await bench.withBundle(change, async (handle) => ({
    ...(await handle.generate({ maxNewTokens: newTokens })),
    promptIds: (await handle.tokenize(story)).ids,
    vocabSize: handle.model.card.vocabSize,
    entries: handle.model.card.tokenizerEntries,
  }));
  bench.report("Asking the page's model about both texts");
  const prompt = await bench.tokenize(story);
  return {
    ownText: own.text,
    otherText: other.text,
    ownPerplexity: rounded(await perplexityOf(bench, own.text ?? "")),
    otherPerplexity: rounded(await perplexityOf(bench, other.text ?? "")),
    ownIds: prompt.ids,
    otherIds: other.promptIds,
    sameSize: other.vocabSize === bench.vocabulary && other.entries === bench.model.card.tokenizerEntries,
  };
}

/** @param {Handle} handle @param {string} text that follows the story's beginning */
async function perplexityOf(handle, text) {
  const prompt = await handle.tokenize(story);
  const { ids } = await handle.tokenize(story + text);
  return perplexity(ids, prompt.ids.length, await handle.logits(ids, { positions: "all" }), handle.vocabulary);
}

/** Nobody needs its decimals where it is large. @param {number} value */
const rounded = (value) => (value > 100 ? Math.round(value) : value);

/** @param {import("../types.js").Facts} facts */
const isNonsense = ({ ownPerplexity, otherPerplexity }) => Number(otherPerplexity) > senseless * Number(ownPerplexity);

/** @param {import("../types.js").Facts} facts */
const bothTexts = ({ ownText, otherText, ownPerplexity, otherPerplexity }) => [
  `The page's own bundle goes on: ${quoted(ownText)}`,
  `The changed bundle goes on: ${quoted(otherText)}`,
  `Perplexity by the page's own model (among how many equally likely tokens it would choose): ${shown(ownPerplexity)} for its own text, ${shown(otherPerplexity)} for the other.`,
];

/** @type {Sheet} */
export const loading = {
  name: "loading",
  title: "Load a bundle that fits",
  about: "Weights, configuration and tokenizer belong together; sizes that agree do not prove it.",
  minutes: 20,
  model: "Tales-2M; with Pythia-14M a changed bundle takes some seconds longer",
  steps: [
    {
      id: "files",
      title: "What the files say",
      text: [
        "The page's model came as three files. One describes the machine: how wide, how deep. One holds the learned numbers. One maps text to ids and back.",
        "The model's card, at the bottom of the page, lists them.",
      ],
      questions: [
        {
          id: "which",
          question: "Which file says that id 322 stands for a certain piece of text?",
          field: choice(["config", "config.json"], ["tokenizer", "tokenizer.json"], ["weights", "model.safetensors"]),
          right: () => "tokenizer",
          why: () => "The other two know rows by number only. What a row means lies in the tokenizer alone.",
          hint: "The weights have rows, the configuration counts them. Neither has any text in it.",
        },
      ],
    },
    {
      id: "card",
      title: "Count the rows",
      text: [
        "The output has one score for each row of the vocabulary. The tokenizer has entries, each with an id. Both numbers can be read in the model's card.",
      ],
      measure: {
        label: "Read the card",
        run: async ({ model }) => ({
          rows: model.card.vocabSize,
          entries: model.card.tokenizerEntries,
          checked: model.files.filter(({ check }) => check === "equal").length,
          files: model.files.map(({ name }) => name),
        }),
      },
      questions: [
        {
          id: "rows",
          question: "How many scores does the model give after each token?",
          field: number("scores", "score"),
          right: ({ rows }) => Number(rows),
          why: ({ rows, entries }) =>
            rows === entries
              ? `${shown(rows)} rows, and the tokenizer has as many entries: every row has a text.`
              : `${shown(rows)} rows, while the tokenizer has ${shown(entries)} entries: the other rows have no text and are there for a round size.`,
          hint: "Look for the size of the vocabulary in the model's card.",
        },
        {
          id: "digests",
          question: "How many of its files did the page compare with a published SHA-256 and find equal?",
          field: number("files", "file"),
          right: ({ checked }) => Number(checked),
          why: ({ files }) => `Of ${listed(files)}. A digest is the only thing here that proves what a file is.`,
          hint: "The model's card has a line for each file, with what the page found.",
        },
      ],
    },
    {
      id: "permuted",
      title: "Deal out the ids anew",
      text: [
        "Now a tokenizer of exactly the same size: the same pieces of text, the same rules for joining them, the same set of ids. Only which piece has which id has been shuffled (special tokens keep theirs).",
        "The page loads it with the real weights in a second worker and lets both run greedily from the same prompt. The page's own model stays.",
      ],
      predict: {
        question: "What will happen?",
        field: ends,
        outcome: (facts) =>
          isNonsense(facts)
            ? "No error. The text is nonsense: by the page's own model it is far less likely than the real one."
            : "No error, and the text reads about as well as before.",
        right: (facts) => (isNonsense(facts) ? "nonsense" : "sense"),
      },
      measure: {
        label: "Load the shuffled tokenizer",
        run: (bench) =>
          besides(bench, async (files) => {
            const shuffled = permutedTokenizer(await fileNamed(files, "tokenizer.json").text(), seed);
            return withFiles(files, [new File([shuffled], "tokenizer.json")]);
          }),
      },
      shows: bothTexts,
      questions: [
        {
          id: "sizes",
          question: "What does it prove that the tokenizer has as many entries as the model has rows?",
          field: choice(
            ["fits", "That the two were made for each other"],
            ["rows", "That every id has a row, and nothing about what the row means"],
            ["nothing", "Nothing: the page would load any size"],
          ),
          right: ({ sameSize, ownText, otherText }) => (sameSize && ownText !== otherText ? "rows" : "fits"),
          why: () => "Shapes can disprove that files belong together. They cannot prove it.",
          hint: "The shuffled tokenizer had the right size too. Read its text again.",
        },
      ],
    },
    {
      id: "ids",
      title: "The same text, other numbers",
      text: [
        `Both tokenizers cut ${quoted(story)} by the same rules. The model never sees the pieces, only the ids.`,
      ],
      predict: {
        question: "How many of the prompt's ids are the same under both tokenizers?",
        field: number("ids", "id"),
        outcome: ({ same, ownIds, otherIds }) =>
          `${shown(same)}. Page: ${listed(ownIds)}. Shuffled: ${listed(otherIds)}.`,
        right: ({ same }) => Number(same),
      },
      measure: {
        label: "Tokenize with both",
        run: async (bench) => {
          const { ids } = await bench.tokenize(story);
          const otherIds = await bench.withBundle(
            async (files) => {
              const shuffled = permutedTokenizer(await fileNamed(files, "tokenizer.json").text(), seed);
              return withFiles(files, [new File([shuffled], "tokenizer.json")]);
            },
            async (handle) => (await handle.tokenize(story)).ids,
          );
          return { ownIds: ids, otherIds, same: ids.filter((id, n) => id === otherIds[n]).length, pieces: otherIds.length };
        },
      },
      questions: [
        {
          id: "pieces",
          question: "And how many pieces does the shuffled tokenizer cut the prompt into?",
          field: number("pieces", "piece"),
          right: ({ pieces }) => Number(pieces),
          why: () => "As many as the real one: the rules work on text, the ids come last. So even the length looks right.",
          hint: "Count the shuffled ids above.",
        },
      ],
    },
    {
      id: "twin",
      title: "A twin that never went to school",
      text: [
        "Next, the other way round: the real configuration and tokenizer, but weights with the same names, shapes and number format, filled with noise from a seed, as before the first step of training.",
      ],
      predict: {
        question: "What will the loader say of it?",
        field: ends,
        outcome: (facts) =>
          isNonsense(facts)
            ? "Nothing. It loads, runs, and the text is nonsense."
            : "Nothing. It loads, runs, and the text reads about as well as before.",
        right: (facts) => (isNonsense(facts) ? "nonsense" : "sense"),
      },
      measure: {
        label: "Load the untrained twin",
        run: (bench) =>
          besides(bench, async (files) => {
            const twins = files.filter(({ name }) => name.endsWith(".safetensors"));
            const made = await Promise.all(
              twins.map(async (file) => new File([untrainedWeights(new Uint8Array(await file.arrayBuffer()), seed)], file.name)),
            );
            return withFiles(files, made);
          }),
      },
      shows: bothTexts,
      questions: [
        {
          id: "loader",
          question: "What can a loader check by itself, without a digest?",
          field: choice(
            ["shapes", "Names, shapes and number formats of the tensors"],
            ["trained", "Whether the weights were trained"],
            ["meaning", "Whether the tokenizer means what the rows mean"],
          ),
          right: () => "shapes",
          why: () => "Everything about the form, nothing about the content.",
          hint: "The twin passed every check there was. What was equal in it?",
        },
      ],
    },
    {
      id: "keep",
      title: "Keep the bundle together",
      text: [
        "Nothing on the screen told you which of the two files was wrong, or that one was. In your own project the same would happen with a tokenizer from another revision.",
      ],
      questions: [
        {
          id: "catch",
          question: "Which record would have caught both mistakes before the first token?",
          field: choice(
            ["sizes", "The number of parameters and the size of the vocabulary"],
            ["digest", "The revision, and the SHA-256 of every file"],
            ["seed", "The seed and the sampling settings"],
          ),
          right: () => "digest",
          why: () => "That is why this page pins a revision and compares digests before it uses weights.",
          hint: "Sizes were equal in both cases, and the run was greedy.",
        },
        {
          id: "own",
          question: "In a sentence: what would you write down next to a model that you hand to somebody else?",
          field: { kind: "text" },
          why: () => "Compare it with the model's card of this page: revision, files, digests, number format.",
        },
      ],
    },
  ],
};
