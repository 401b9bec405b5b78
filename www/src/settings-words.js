/** The settings in force as one line of words, and as a call of Hugging Face transformers. */

import { actingChain, chainKinds, isOn, stopStrings } from "./controls.js";
import { words as common } from "./words/common.js";
import { words } from "./words/settings.js";

/** @import { Controls } from "./page-types.js" */
/** @import { ChainKind } from "./protocol.js" */

const { line, call } = words;

/** What acts, in the order in which it acts, and what ends a run. @param {Controls} controls */
export function settingsLine(controls) {
  const steps = line.steps([...rawSteps(controls), ...chainSteps(controls)]);
  const seed = controls.greedy ? [] : [line.seed(controls.seed)];
  return line.parts([steps, ...seed, ...border(controls), ...endings(controls)]);
}

/** @param {Controls} controls */
function rawSteps({ repetitionPenalty, noRepeatNgram, suppress, minNewTokens }) {
  return [
    repetitionPenalty !== 1 && line.repetitionPenalty(repetitionPenalty),
    noRepeatNgram !== 0 && line.noRepeatNgram(noRepeatNgram),
    suppress.length > 0 && line.banned(suppress),
    minNewTokens !== 0 && line.minNewTokens(minNewTokens),
  ].filter((step) => step !== false);
}

/** @param {Controls} controls */
function chainSteps(controls) {
  if (controls.greedy) return [line.greedy];
  const chain = actingChain(controls);
  if (chain.length === 0) return [line.plain];
  return chain.map(({ kind, value }) => (value === 0 ? line.zero(common.chain[kind]) : line.step(common.chain[kind], value)));
}

/** The rule for the border, where it can matter. @param {Controls} controls */
function border(controls) {
  const cuts = isOn(controls, "topK") || isOn(controls, "topP");
  return controls.boundary === "listing" && cuts && !controls.greedy ? [line.border] : [];
}

/** @param {Controls} controls */
function endings({ maxNewTokens, stop, ignoreEos }) {
  const stops = stopStrings(stop).map((text) => JSON.stringify(text));
  return [
    line.atMost(maxNewTokens),
    ...(stops.length > 0 ? [line.stopAt(stops)] : []),
    ...(ignoreEos ? [line.ignoreEos] : []),
  ];
}

/**
 * The call that does the same there, with what has to be said of it. `code` is null where no call does the same.
 * @param {Controls} controls
 * @returns {{ code: string | null, notes: string[] }}
 */
export function transformersCall(controls) {
  const chain = actingChain(controls);
  if (!controls.greedy && !hasTransformersOrder(chain.map(({ kind }) => kind))) {
    return { code: null, notes: [call.noOrder(chainKinds.map((kind) => common.chain[kind]))] };
  }
  const stops = stopStrings(controls.stop);
  /** @param {ChainKind} kind */
  const valueOf = (kind) => chain.find((step) => step.kind === kind)?.value;
  const lines = [
    "**inputs",
    ...(controls.greedy
      ? ["do_sample=False"]
      : [
          "do_sample=True",
          argument("temperature", valueOf("temperature") === 0 ? "1e-5" : float(valueOf("temperature"))),
          // Left out, it would be 50.
          `top_k=${valueOf("topK") ?? 0}`,
          argument("top_p", float(valueOf("topP"))),
          argument("min_p", float(valueOf("minP"))),
        ]),
    controls.repetitionPenalty !== 1 && argument("repetition_penalty", float(controls.repetitionPenalty)),
    controls.noRepeatNgram !== 0 && `no_repeat_ngram_size=${controls.noRepeatNgram}`,
    controls.suppress.length > 0 && `suppress_tokens=[${controls.suppress.join(", ")}]`,
    controls.minNewTokens !== 0 && `min_new_tokens=${controls.minNewTokens}`,
    `max_new_tokens=${controls.maxNewTokens}`,
    stops.length > 0 && `stop_strings=${JSON.stringify(stops)}`,
    stops.length > 0 && "tokenizer=tokenizer",
  ].filter((line) => line !== false);
  const notes = [
    !controls.greedy && call.ownNumbers,
    valueOf("topK") !== undefined &&
      !controls.greedy &&
      controls.boundary === "smallest" &&
      call.ties,
    valueOf("topP") !== undefined &&
      !controls.greedy &&
      controls.boundary === "listing" &&
      call.oneFewer,
    controls.ignoreEos && call.stopsAtEnd,
  ].filter((note) => note !== false);
  return { code: `model.generate(\n${lines.map((line) => `    ${line},\n`).join("")})`, notes };
}

/** Steps whose order makes no difference: temperature leaves the ranking as it is, and min-p compares two chances, whose
 * ratio no cut changes. @type {[ChainKind, ChainKind][]}
 */
const commuting = [
  ["temperature", "topK"],
  ["topK", "minP"],
];

/** Whether an order amounts to that of transformers: each pair that does not commute stands as it stands there.
 * @param {ChainKind[]} kinds those that act
 */
export function hasTransformersOrder(kinds) {
  return kinds.every((first, n) =>
    kinds
      .slice(n + 1)
      .every(
        (second) =>
          chainKinds.indexOf(first) < chainKinds.indexOf(second) ||
          commuting.some((pair) => pair.includes(first) && pair.includes(second)),
      ),
  );
}

/** @param {string} name @param {string | undefined} value @returns {string | false} */
const argument = (name, value) => value !== undefined && `${name}=${value}`;

/** Python's own way of writing a float: transformers refuses a whole number. @param {number | undefined} value */
const float = (value) => (value === undefined || !Number.isInteger(value) ? value?.toString() : `${value}.0`);
