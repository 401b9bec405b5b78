/** Bundles that load and are wrong: what is equal in them, and what is not. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { half, permutedTokenizer, untrainedWeights } from "../../www/src/sheets/bundle.js";

const tokenizer = await readFile(new URL("../fixtures/pythia-14m/tokenizer.json", import.meta.url), "utf8");
const weights = new Uint8Array(
  await readFile(new URL("../../www/models/tales-2m/model.safetensors", import.meta.url)),
);

/** @param {Uint8Array} file */
function tensors(file) {
  const view = new DataView(file.buffer, file.byteOffset);
  const start = 8 + Number(view.getBigUint64(0, true));
  const header = JSON.parse(new TextDecoder().decode(file.subarray(8, start)));
  return (/** @type {string} */ name) => {
    const [from, to] = header[name].data_offsets;
    return file.subarray(start + from, start + to);
  };
}

/** The value of an F16's bits. @param {number} bits */
function valueOf(bits) {
  const sign = bits & 0x8000 ? -1 : 1;
  const [exponent, fraction] = [(bits >> 10) & 31, bits & 1023];
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15));
}

test("a_permuted_tokenizer_has_the_same_tokens_rules_and_ids_and_special_tokens_keep_theirs", () => {
  const [before, after] = [tokenizer, permutedTokenizer(tokenizer, 7)].map((text) => JSON.parse(text));
  const [one, other] = [before.model.vocab, after.model.vocab];
  assert.deepEqual(Object.keys(other).sort(), Object.keys(one).sort());
  assert.deepEqual(Object.values(other).sort(), Object.values(one).sort());
  assert.deepEqual(after.model.merges, before.model.merges);
  assert.deepEqual(after.added_tokens, before.added_tokens);
  const special = before.added_tokens.map((/** @type {any} */ { id }) => id);
  const moved = Object.keys(one).filter((token) => one[token] !== other[token]);
  assert.ok(moved.length > 0.99 * (Object.keys(one).length - special.length), `${moved.length} moved`);
  for (const token of moved) assert.ok(!special.includes(one[token]) && !special.includes(other[token]));
});

test("a_seed_repeats_a_permutation_and_another_gives_another", () => {
  assert.equal(permutedTokenizer(tokenizer, 7), permutedTokenizer(tokenizer, 7));
  assert.notEqual(permutedTokenizer(tokenizer, 7), permutedTokenizer(tokenizer, 8));
});

test("an_untrained_twin_has_every_name_and_shape_and_no_trained_number", () => {
  const twin = untrainedWeights(weights, 7);
  assert.equal(twin.length, weights.length);
  const start = 8 + Number(new DataView(weights.buffer, weights.byteOffset).getBigUint64(0, true));
  assert.deepEqual(twin.subarray(0, start), weights.subarray(0, start));
  const of = tensors(twin);
  const numbers = (/** @type {string} */ name) => {
    const bytes = of(name).slice();
    return Array.from(new Uint16Array(bytes.buffer), valueOf);
  };
  assert.ok(numbers("gpt_neox.layers.0.attention.dense.bias").every((value) => value === 0));
  assert.ok(numbers("gpt_neox.layers.0.input_layernorm.weight").every((value) => value === 1));
  const matrix = numbers("gpt_neox.layers.3.mlp.dense_h_to_4h.weight");
  const mean = matrix.reduce((sum, value) => sum + value, 0) / matrix.length;
  const spread = Math.sqrt(matrix.reduce((sum, value) => sum + (value - mean) ** 2, 0) / matrix.length);
  assert.ok(Math.abs(mean) < 0.001 && Math.abs(spread - 0.02) < 0.002, `mean ${mean}, spread ${spread}`);
  assert.deepEqual(untrainedWeights(weights, 7), twin);
  assert.notDeepEqual(untrainedWeights(weights, 8), twin);
});

test("half_rounds_to_the_nearest_and_every_half_to_itself", () => {
  for (let bits = 0; bits < 0x7c00; bits++) assert.equal(half(valueOf(bits)), bits);
  assert.deepEqual([1, -2, 0.1, 65504, 2 ** -24].map(half), [0x3c00, 0xc000, 0x2e66, 0x7bff, 1]);
  assert.equal(half(1 + 2 ** -11), 0x3c00, "a tie goes to the even one");
  assert.equal(half(1 + 3 * 2 ** -11), 0x3c02);
});
