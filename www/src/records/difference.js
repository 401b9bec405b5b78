/** Two records beside each other: what differs, layer by layer, what that lets expect, and where the texts part. */

import { chainNames, count, plural } from "../format.js";
import { sameSetting } from "../presets.js";
import { weightDigests } from "./record.js";

/** @import { Change, Divergence, RecordedRun, RunRecord } from "./types.js" */

const short = (/** @type {string | null | undefined} */ digest) => (digest ? digest.slice(0, 8) : "unknown");
const yesNo = (/** @type {boolean} */ value) => (value ? "yes" : "no");
/** A long value would push all others out of sight. @param {string} text @param {number} [most] */
export const quoted = (text, most = 60) =>
  `“${text.length > most ? `${text.slice(0, most)}…` : text}”`.replaceAll("\n", "⏎");

/** What stands for a step of the chain that is off. @type {Record<string, string>} */
const off = { temperature: "1", topK: "off", topP: "off", minP: "off" };

/**
 * The rows that are compared: layer, label, and the value in words. A greater step is compared by what it is, not by its
 * words: `key`, where it is longer than its words.
 * @type {[string, string, (record: RunRecord) => string, ((record: RunRecord) => string)?][]}
 */
const rows = [
  [
    "Tokenizer",
    "tokenizer.json",
    ({ tokenizer }) => `SHA-256 ${short(tokenizer.sha256)}…`,
    ({ tokenizer }) => tokenizer.sha256 ?? "",
  ],
  [
    "Weights",
    "weights",
    (record) => `${record.model?.title ?? "unknown"} (SHA-256 ${short(weightDigests(record)[0])}…)`,
    (record) => weightDigests(record).join() || (record.model?.title ?? ""),
  ],
  ["Precision", "stored weights", ({ engine }) => engine?.precision ?? "unknown"],
  ["Kernel", "kernel", ({ engine }) => engine?.kernel ?? "unknown"],
  ["SIMD level", "SIMD level", ({ engine }) => engine?.simd ?? "unknown"],
  ["KV cache", "policy", ({ engine }) => (engine ? cacheWords[engine.cachePolicy] : "unknown")],
  ["KV cache", "format", ({ engine }) => engine?.kvCache ?? "unknown"],
  ["KV cache", "padding and row", ({ padding, rowOrder }) => `padding ${padding}, rows ${rowOrder.join(", ")}`],
  [
    "Prompt",
    "prompt",
    ({ prompt, promptIds }) => (prompt === "" ? plural(promptIds.length, "token id") : quoted(prompt)),
    ({ prompt, promptIds }) => JSON.stringify([prompt, promptIds]),
  ],
  ["Sampling settings", "decoding", ofRun(({ sampling }) => (sampling.greedy ? "greedy" : "drawing with a seed"))],
  .../** @type {const} */ (["temperature", "topK", "topP", "minP"]).map(
    (kind) =>
      /** @type {[string, string, (record: RunRecord) => string]} */ ([
        "Sampling settings",
        chainNames[kind],
        ofRun(({ sampling }) => {
          const step = sampling.chain.find((candidate) => candidate.kind === kind);
          return step ? String(step.value) : off[kind];
        }),
      ]),
  ),
  [
    "Sampling settings",
    "order of the chain",
    ofRun(({ sampling }) => sampling.chain.map(({ kind }) => chainNames[kind]).join(", then ") || "nothing acts"),
    // Which steps act has its own rows: only two that both act can change places.
    ofRun(({ sampling }) => sampling.chain.map(({ kind }) => kind).join()),
  ],
  ["Sampling settings", "border", ofRun(({ sampling }) => sampling.boundary)],
  ["Sampling settings", "repetition penalty", ofRun(({ sampling }) => String(sampling.repetitionPenalty))],
  ["Sampling settings", "n-grams that may not come twice", ofRun(({ sampling }) => String(sampling.noRepeatNgram))],
  ["Sampling settings", "banned ids", ofRun(({ sampling }) => sampling.suppress.join(", ") || "none")],
  ["Sampling settings", "shortest text", ofRun(({ sampling }) => plural(sampling.minNewTokens, "token"))],
  [
    "Sampling settings",
    "earlier runs of the text",
    ({ runs }) =>
      runs.length < 2 ? "none" : `${plural(runs.length - 1, "run")}, up to new token ${runs[runs.length - 1].first}`,
    ({ runs }) => JSON.stringify(runs.map(({ first, sampling, seed }, n) => (n + 1 < runs.length ? [first, sampling, seed] : first))),
  ],
  ["Stop rules", "new tokens, at most", ofRun(({ limits }) => count(limits.maxNewTokens))],
  ["Stop rules", "stop strings", ofRun(({ limits }) => limits.stop.map((text) => quoted(text, 20)).join(", ") || "none"), ofRun(({ limits }) => JSON.stringify(limits.stop))],
  ["Stop rules", "going on after the end token", ofRun(({ limits }) => yesNo(limits.ignoreEos))],
  ["Stop rules", "end token", ofRun(({ limits }) => (limits.eosId === null ? "none" : `id ${limits.eosId}`))],
  ["Seed", "seed", ofRun(({ seed }) => String(seed))],
  ["By hand", "uniform numbers set by hand", ({ runs }) => handNumbers(runs) || "none"],
  [
    "By hand",
    "tokens put in",
    ({ byHand }) => (byHand.length === 0 ? "none" : `at ${byHand.map((index) => index + 1).join(", ")}`),
    ({ byHand, newIds }) => byHand.map((index) => `${index}:${newIds[index]}`).join(),
  ],
  ["Program", "build of the page", ({ page }) => page.build ?? page.program],
  ["Program", "engine version", ({ page }) => page.engineVersion],
];

const cacheWords = { reuse: "keys and values are reused", recompute: "computed again for each token" };

/** Of the last run. @param {(run: RecordedRun) => string} words @returns {(record: RunRecord) => string} */
function ofRun(words) {
  return ({ runs }) => {
    const run = runs.at(-1);
    return run ? words(run) : "no run";
  };
}

/** @param {RecordedRun[]} runs */
const handNumbers = (runs) =>
  runs.flatMap(({ first, uniform }) => (uniform === null ? [] : `${uniform} for token ${first + 1}`)).join(", ");

/** @param {RunRecord} before @param {RunRecord} after @returns {Change[]} */
export function changesBetween(before, after) {
  const changes = rows.flatMap(([layer, label, words, key = words]) =>
    key(before) === key(after) ? [] : [{ layer, label, before: words(before), after: words(after) }],
  );
  return changes.filter(({ label }) => label !== "order of the chain" || reordered(before, after));
}

/** Whether steps that act in both have changed places. @param {RunRecord} before @param {RunRecord} after */
function reordered(before, after) {
  const [one, other] = [before, after].map(({ runs }) => runs.at(-1)?.sampling.chain.map(({ kind }) => kind) ?? []);
  return !sameSetting(
    one.filter((kind) => other.includes(kind)),
    other.filter((kind) => one.includes(kind)),
  );
}

/** Where the new tokens part; null where they do not. @param {RunRecord} before @param {RunRecord} after */
export const divergenceOf = (before, after) =>
  divergence(before.newIds, after.newIds, (index, side) => (side === 0 ? before : after).tokens?.shown[index]);

/**
 * @param {ArrayLike<number>} before @param {ArrayLike<number>} after
 * @param {(index: number, side: 0 | 1) => string | undefined} shown what a token is called
 * @returns {Divergence | null}
 */
export function divergence(before, after, shown) {
  const shorter = Math.min(before.length, after.length);
  let index = 0;
  while (index < shorter && before[index] === after[index]) index += 1;
  if (index === before.length && index === after.length) return null;
  /** @param {ArrayLike<number>} ids @param {0 | 1} side */
  const token = (ids, side) =>
    index < ids.length ? { id: ids[index], shown: shown(index, side) ?? `⟨${ids[index]}⟩` } : null;
  return { index, before: token(before, 0), after: token(after, 1) };
}

/** @param {{ id: number, shown: string }} token */
export const named = ({ id, shown }) => `${shown} (id ${id})`;

/** @param {RunRecord} before @param {RunRecord} after */
export function divergenceSentence(before, after) {
  if (before.tokenizer.sha256 !== after.tokenizer.sha256)
    return "The two tokenizers give the same id to different text, so the tokens cannot be lined up: only the texts can be read side by side.";
  const found = divergenceOf(before, after);
  if (found === null) return `There is no divergence: both texts have the same ${plural(after.newIds.length, "token")}.`;
  const place = `new token ${count(found.index + 1)} (index ${found.index})`;
  if (found.before === null)
    return `No token differs: the run before ended after ${plural(found.index, "token")}, and this one goes on.`;
  if (found.after === null)
    return `No token differs: this run ended after ${plural(found.index, "token")}, and the one before goes on.`;
  return `First divergence: ${place}: before ${named(found.before)}, now ${named(found.after)}. All that follows it comes of another prefix.`;
}

/** @param {RunRecord} record */
const isFused = ({ engine }) => engine?.kernel === "fused";

/** Layers that leave model and picking as they are, and change how the numbers are computed. */
const computing = ["Kernel", "KV cache", "SIMD level"];

/**
 * What the changes let expect, in a sentence, and whether it can be checked: the same tokens, as far as both texts go.
 * @param {Change[]} changes @param {RunRecord} before @param {RunRecord} after
 * @returns {{ same: boolean, sentence: string }}
 */
export function expectation(changes, before, after) {
  const layers = [...new Set(changes.map(({ layer }) => layer))].filter((layer) => layer !== "Program");
  const greedy = [before, after].every(({ runs }) => runs.every(({ sampling }) => sampling.greedy));
  if (layers.length === 0) return { same: true, sentence: "Nothing was changed, so the same tokens are expected." };
  if (greedy && layers.every((layer) => layer === "Seed"))
    return {
      same: true,
      sentence: "Greedy decoding draws nothing, so another seed changes nothing: the same tokens are expected.",
    };
  if (layers.every((layer) => layer === "Stop rules"))
    return {
      same: true,
      sentence: "Only the end of a run was changed: the same tokens are expected, up to the end of the shorter text.",
    };
  if (changes.every(({ layer, label }) => layer === "Program" || label === "policy") && isFused(before) && isFused(after))
    return {
      same: true,
      sentence:
        "Only the use of the KV cache was changed, which on the fused kernel changes no bit of the numbers: the same tokens are expected.",
    };
  if (layers.every((layer) => computing.includes(layer)))
    return {
      same: false,
      sentence:
        "Weights and picking are the same, and the numbers are computed in another way: logits may differ in their last digits. The same tokens are likely, and not certain.",
    };
  return { same: false, sentence: "Another text may come of this." };
}

/** Whether what was expected came. @param {boolean} same @param {RunRecord} before @param {RunRecord} after */
export function checkSentence(same, before, after) {
  if (!same) return "";
  return divergenceOf(before, after) === null
    ? "Checked: it is so."
    : goesOn(before, after)
      ? "Checked: as far as both go, it is so."
      : "Checked: it is not so. Something that this list does not show has changed.";
}

/** Whether one text is the other's beginning. @param {RunRecord} before @param {RunRecord} after */
function goesOn(before, after) {
  const found = divergenceOf(before, after);
  return found !== null && (found.before === null || found.after === null);
}
