/** Two records beside each other: what differs, layer by layer, what that lets expect, and where the texts part. */

import { atMost, count } from "../format.js";
import { sameSetting } from "../presets.js";
import { words as common } from "../words/common.js";
import { words } from "../words/records-compare.js";
import { weightDigests } from "./record.js";

/** @import { Change, Divergence, Layer, RecordedRun, RunRecord } from "./types.js" */

const short = (/** @type {string | null | undefined} */ digest) => (digest ? digest.slice(0, 8) : words.unknown);
const yesNo = (/** @type {boolean} */ value) => (value ? words.yes : words.no);
/** As the reader writes it, with all its digits. @param {number} value */
const exact = (value) => atMost(value, 20);
/** A long value would push all others out of sight. @param {string} text @param {number} [most] */
const quoted = (text, most = 60) =>
  words.quoted(text.length > most ? `${text.slice(0, most)}…` : text).replaceAll("\n", "⏎");

/** What stands for a step of the chain that is off. */
const off = { temperature: "1", topK: words.off, topP: words.off, minP: words.off };

/**
 * The rows that are compared: layer, name, and the value in words. A greater step is compared by what it is, not by its
 * words: `key`, where it is longer than its words.
 * @type {[Layer, string, (record: RunRecord) => string, ((record: RunRecord) => string)?][]}
 */
const rows = [
  ["tokenizer", "tokenizer", ({ tokenizer }) => words.digest(short(tokenizer.sha256)), ({ tokenizer }) => tokenizer.sha256 ?? ""],
  [
    "weights",
    "weights",
    (record) => words.weights(record.model?.title ?? words.unknown, short(weightDigests(record)[0])),
    (record) => weightDigests(record).join() || (record.model?.title ?? ""),
  ],
  ["precision", "precision", ({ engine }) => engine?.precision ?? words.unknown],
  ["kernel", "kernel", ({ engine }) => engine?.kernel ?? words.unknown],
  ["simd", "simd", ({ engine }) => engine?.simd ?? words.unknown],
  ["kvCache", "cachePolicy", ({ engine }) => (engine ? words.cachePolicies[engine.cachePolicy] : words.unknown)],
  ["kvCache", "cacheFormat", ({ engine }) => engine?.kvCache ?? words.unknown],
  ["kvCache", "padding", ({ padding, rowOrder }) => words.padding(padding, rowOrder)],
  [
    "prompt",
    "prompt",
    ({ prompt, promptIds }) => (prompt === "" ? words.tokenIds(promptIds.length) : quoted(prompt)),
    ({ prompt, promptIds }) => JSON.stringify([prompt, promptIds]),
  ],
  ["sampling", "decoding", ofRun(({ sampling }) => (sampling.greedy ? words.greedy : words.drawing))],
  .../** @type {const} */ (["temperature", "topK", "topP", "minP"]).map(
    (kind) =>
      /** @type {[Layer, string, (record: RunRecord) => string]} */ ([
        "sampling",
        kind,
        ofRun(({ sampling }) => {
          const step = sampling.chain.find((candidate) => candidate.kind === kind);
          return step ? exact(step.value) : off[kind];
        }),
      ]),
  ),
  [
    "sampling",
    "order",
    ofRun(({ sampling }) => words.order(sampling.chain.map(({ kind }) => common.chain[kind]))),
    // Which steps act has its own rows: only two that both act can change places.
    ofRun(({ sampling }) => sampling.chain.map(({ kind }) => kind).join()),
  ],
  ["sampling", "border", ofRun(({ sampling }) => sampling.boundary)],
  ["sampling", "repetitionPenalty", ofRun(({ sampling }) => exact(sampling.repetitionPenalty))],
  ["sampling", "noRepeatNgram", ofRun(({ sampling }) => String(sampling.noRepeatNgram))],
  ["sampling", "banned", ofRun(({ sampling }) => sampling.suppress.join(", ") || words.none)],
  ["sampling", "minNewTokens", ofRun(({ sampling }) => words.tokens(sampling.minNewTokens))],
  [
    "sampling",
    "earlierRuns",
    ({ runs }) => (runs.length < 2 ? words.none : words.earlierRuns(runs.length - 1, runs[runs.length - 1].first)),
    ({ runs }) => JSON.stringify(runs.map(({ first, sampling, seed }, n) => (n + 1 < runs.length ? [first, sampling, seed] : first))),
  ],
  ["stop", "maxNewTokens", ofRun(({ limits }) => count(limits.maxNewTokens))],
  [
    "stop",
    "stopStrings",
    ofRun(({ limits }) => limits.stop.map((text) => quoted(text, 20)).join(", ") || words.none),
    ofRun(({ limits }) => JSON.stringify(limits.stop)),
  ],
  ["stop", "ignoreEos", ofRun(({ limits }) => yesNo(limits.ignoreEos))],
  ["stop", "endToken", ofRun(({ limits }) => (limits.eosId === null ? words.none : words.id(limits.eosId)))],
  ["seed", "seed", ofRun(({ seed }) => String(seed))],
  ["byHand", "handNumbers", ({ runs }) => handNumbers(runs) || words.none],
  [
    "byHand",
    "putIn",
    ({ byHand }) => (byHand.length === 0 ? words.none : words.putIn(byHand.map((index) => index + 1))),
    ({ byHand, newIds }) => byHand.map((index) => `${index}:${newIds[index]}`).join(),
  ],
  ["program", "build", ({ page }) => page.build ?? page.program],
  ["program", "engineVersion", ({ page }) => page.engineVersion],
];

/** @type {Record<string, string>} */
const rowNames = { ...words.rows, ...common.chain };

/** A change as it is named: its layer, and what of it. @param {Change} change */
export const nameOf = ({ layer, row }) => ({ layer: words.layers[layer], row: rowNames[row] });

/** Of the last run. @param {(run: RecordedRun) => string} valueOf @returns {(record: RunRecord) => string} */
function ofRun(valueOf) {
  return ({ runs }) => {
    const run = runs.at(-1);
    return run ? valueOf(run) : words.noRun;
  };
}

/** @param {RecordedRun[]} runs */
const handNumbers = (runs) =>
  runs.flatMap(({ first, uniform }) => (uniform === null ? [] : words.handNumber(exact(uniform), first + 1))).join(", ");

/** @param {RunRecord} before @param {RunRecord} after @returns {Change[]} */
export function changesBetween(before, after) {
  const changes = rows.flatMap(([layer, row, valueOf, key = valueOf]) =>
    key(before) === key(after) ? [] : [{ layer, row, before: valueOf(before), after: valueOf(after) }],
  );
  return changes.filter(({ row }) => row !== "order" || reordered(before, after));
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

/** @param {RunRecord} before @param {RunRecord} after */
export function divergenceSentence(before, after) {
  const { divergence } = words;
  if (before.tokenizer.sha256 !== after.tokenizer.sha256) return divergence.otherTokenizers;
  const found = divergenceOf(before, after);
  if (found === null) return divergence.none(after.newIds.length);
  if (found.before === null) return divergence.goesOn(found.index);
  if (found.after === null) return divergence.endedSooner(found.index);
  return divergence.first(found.index, found.before, found.after);
}

/** @param {RunRecord} record */
const isFused = ({ engine }) => engine?.kernel === "fused";

/** Layers that leave model and picking as they are, and change how the numbers are computed. */
const computing = ["kernel", "kvCache", "simd"];

/**
 * What the changes let expect, in a sentence, and whether it can be checked: the same tokens, as far as both texts go.
 * @param {Change[]} changes @param {RunRecord} before @param {RunRecord} after
 * @returns {{ same: boolean, sentence: string }}
 */
export function expectation(changes, before, after) {
  const { expected } = words;
  const layers = [...new Set(changes.map(({ layer }) => layer))].filter((layer) => layer !== "program");
  const greedy = [before, after].every(({ runs }) => runs.every(({ sampling }) => sampling.greedy));
  if (layers.length === 0) return { same: true, sentence: expected.nothingChanged };
  if (greedy && layers.every((layer) => layer === "seed")) return { same: true, sentence: expected.greedySeed };
  if (layers.every((layer) => layer === "stop")) return { same: true, sentence: expected.onlyEnd };
  const onlyCacheUse = changes.every(({ layer, row }) => layer === "program" || row === "cachePolicy");
  if (onlyCacheUse && isFused(before) && isFused(after)) return { same: true, sentence: expected.onlyCacheUse };
  if (layers.every((layer) => computing.includes(layer))) return { same: false, sentence: expected.otherComputing };
  return { same: false, sentence: expected.other };
}

/** Whether what was expected came. @param {boolean} same @param {RunRecord} before @param {RunRecord} after */
export function checkSentence(same, before, after) {
  if (!same) return "";
  const { isNot, isSo, isSoAsFar } = words.checked;
  if (divergenceOf(before, after) === null) return isSo;
  return goesOn(before, after) ? isSoAsFar : isNot;
}

/** Whether one text is the other's beginning. @param {RunRecord} before @param {RunRecord} after */
function goesOn(before, after) {
  const found = divergenceOf(before, after);
  return found !== null && (found.before === null || found.after === null);
}
