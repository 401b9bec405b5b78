/** What the files of a model are called, as the Hugging Face hub has them. */

export const CONFIG = "config.json";
export const TOKENIZER = "tokenizer.json";
export const INDEX = "model.safetensors.index.json";
export const WEIGHTS = "model.safetensors";

/** @param {string} name */
export function isWeights(name) {
  return name.endsWith(".safetensors");
}

/** The small files first: what is wrong with them shows before the long download. @param {string[]} names */
export function smallFirst(names) {
  return [...names].sort((a, b) => rank(a) - rank(b));
}

/** @param {string} name */
function rank(name) {
  return [TOKENIZER, CONFIG, INDEX].includes(name) ? [TOKENIZER, CONFIG, INDEX].indexOf(name) : 3;
}
