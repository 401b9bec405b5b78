/** The field's terms, each explained once: its name and the note on it. */

import { fixed } from "../format.js";
import { inLanguage } from "./language.js";

export const words = inLanguage("terms", {
  question: (/** @type {string} */ term) => `What is this: ${term}?`,
  notes: {
    token: [
      "token",
      "The unit a model reads and writes: a word, part of a word, a space, a sign. The tokenizer cuts text into tokens; each has a number, its id.",
    ],
    logit: [
      "logit",
      `The raw score the model gives a token. Only differences count: a lead of 1 makes a token about ${fixed(2.7, 1)} times as likely.`,
    ],
    chance: [
      "model's chance",
      "Softmax turns all logits into chances that add up to 100 %. This is the model's own view, before any setting of yours.",
    ],
    mine: [
      "chance with your settings",
      "What a token is really drawn from: scores after penalties, temperature and filters, turned into chances that again add up to 100 %.",
    ],
    prefill: [
      "prefill",
      "One pass over the whole prompt. It fills the KV cache and gives the scores for the first new token.",
    ],
    decode: [
      "decode",
      "The loop that writes: pick a token, append it, run the model on that one token, and again. N tokens take one prefill and N − 1 steps.",
    ],
    kvCache: [
      "KV cache",
      "Keys and values of every token so far, kept so that a step need not read the text again. It grows with the text; weights do not change.",
    ],
    context: ["context", "How many tokens, prompt and text together, the model can take in."],
    temperature: [
      "temperature",
      "Divides every logit. Below 1 the leaders gain, above 1 the chances even out. The order never changes.",
    ],
    topK: ["top-k", "Keeps the k best tokens and cuts all others."],
    topP: [
      "top-p",
      "Keeps the fewest best tokens whose chances together reach p, then cuts the rest. How many that is changes from step to step.",
    ],
    minP: ["min-p", "Keeps tokens that have at least this fraction of the best token's chance."],
    chain: [
      "the chain",
      "The steps act from top to bottom. Each filter sees only what those above it kept, at the temperature reached there, so another order can keep other tokens.",
    ],
    bans: ["banned tokens", "Their logits become minus infinity before anything else, so they can never be picked."],
    greedy: ["greedy", "Always takes the highest score. Nothing is drawn, so every run gives the same text."],
    seed: [
      "seed",
      "Starts the sequence of random numbers. The same seed, prompt, settings and model give the same text.",
    ],
    repetitionPenalty: [
      "repetition penalty",
      "Lowers the score of tokens that are already in the prompt or the text, before temperature. 1 is off.",
    ],
    noRepeatNgram: [
      "no-repeat n-gram",
      "Bans a token that would complete a run of n tokens which the text already has.",
    ],
    minNewTokens: ["minimum new tokens", "Bans the end-of-text token until this many tokens are made."],
    columns: [
      "more columns",
      "In the order of a step: the logit after penalties and bans; divided by the temperature, less the largest; the running total that top-p sees; the token's part of the strip from 0 to 1; kept, or cut at which step.",
    ],
    dice: [
      "the uniform number",
      "A random number from 0 to below 1. The kept tokens lie side by side on a strip of length 1, each as wide as its chance; the number's place on it picks.",
    ],
    entropy: [
      "entropy",
      "How uncertain the pick is, in nats or bits; 0 is certainty. The effective vocabulary is how many equally likely tokens would be as uncertain.",
    ],
    odds: [
      "odds",
      "How many times as likely one token is as another. They hang on the gap of the two logits alone: e to the power of it, divided by the temperature.",
    ],
    boundary: [
      "the border",
      "At p = 4/5 the tokens of chance 8/15 and 4/15 together reach p exactly. The definition stops there; a listing that is often taught takes the next token too. This is a property of the code, not of the model.",
    ],
    endToken: ["end-of-text token", "A special token with which a model says that a text is over."],
  },
});
