/**
 * Running configurations and measuring how far they are apart. It knows neither state nor panel: it is given a way to
 * reach workers, and returns values.
 */

import { toLimits, toSettings } from "../controls.js";
import { words } from "../words/ab.js";
import { align, sharedLength } from "./alignment.js";
import { generateCall } from "./configuration.js";
import { logitBlocks } from "./logit-blocks.js";
import { addBlock, noDifference } from "./logit-difference.js";

/** @import { Place } from "../lab-places.js" */
/** @import { Distribution, Step } from "../protocol.js" */
/** @import { Comparison, Configuration, LogitDifference, MadeRun, Pair, Side } from "./types.js" */

/** @typedef {import("../lab-work.js").WorkTools} Bench */

/** Rows of each distribution at the first difference. */
const rows = 8;

/** A report for every token would be more than anybody sees. */
const reportEvery = 8;

/**
 * @param {Configuration} configuration
 * @param {Place} place
 * @param {string} prompt
 * @param {string} name of the run, in reports
 * @param {Bench} bench
 */
export async function makeRun(configuration, place, prompt, name, { calls, report, signal }) {
  /** @type {Step[]} */
  const steps = [];
  report(words.running(name));
  const { result } = await calls.ask(place.workerId, generateCall(configuration, prompt), {
    signal,
    onStep(step) {
      steps.push(step);
      if (steps.length % reportEvery === 0) report(words.runningAt(name, steps.length));
    },
  });
  /** @type {MadeRun} */
  const run = {
    tokens: steps.map(({ id, shown, spoken, kind }) => ({ id, shown, spoken, kind })),
    stopReason: result.stopReason,
    seed: result.seed,
    ownWorker: place.own,
    weightBytes: result.memoryBytes.weightBytes,
  };
  return {
    run,
    newIds: result.newIds,
    promptIds: Array.from(result.ids.subarray(0, result.ids.length - result.newIds.length)),
  };
}

/**
 * Two runs on one prompt, and all that is compared of them. The runs take turns: each has the machine to itself.
 *
 * @param {Comparison["kind"]} kind
 * @param {Pair<Configuration>} pair
 * @param {string} prompt
 * @param {Bench} bench
 * @returns {Promise<Comparison>}
 */
export async function compare(kind, pair, prompt, bench) {
  const one = await bench.placeOf(pair[0]);
  const places = /** @type {Pair<Place>} */ ([one, await bench.placeOf(pair[1])]);
  const names = kind === "twice" ? words.twiceRuns : words.sides;
  const a = await makeRun(pair[0], places[0], prompt, names[0], bench);
  const b = await makeRun(pair[1], places[1], prompt, names[1], bench);
  const comparison = { kind, of: pair, prompt, runs: /** @type {Pair<MadeRun>} */ ([a.run, b.run]) };
  if (places[0].vocabulary !== places[1].vocabulary || a.promptIds.join() !== b.promptIds.join()) {
    return { ...comparison, alignment: null, difference: null, predictions: null };
  }
  const alignment = align(a.newIds, b.newIds);
  const shared = sharedLength(alignment, Math.max(a.newIds.length, b.newIds.length));
  const ids = [...a.promptIds, ...a.newIds.subarray(0, shared)];
  const difference = await measure(pair, places, ids, a.promptIds.length, bench);
  const at = alignment.firstDifference;
  const predictions =
    at === null ? null : await predict(pair, places, ids, a.promptIds.length, [a.newIds[at], b.newIds[at]], bench);
  return { ...comparison, alignment, difference, predictions };
}

/**
 * The largest logit difference after the prompt and after each of the tokens that both runs share.
 *
 * @param {Pair<Configuration>} pair @param {Pair<Place>} places @param {number[]} ids
 * @param {number} promptLength @param {Bench} bench
 * @returns {Promise<LogitDifference>}
 */
async function measure(pair, places, ids, promptLength, bench) {
  let difference = noDifference;
  for await (const [one, other] of logitBlocks(pair, places, ids, promptLength, bench)) {
    difference = addBlock(difference, one, other, places[0].vocabulary);
  }
  return difference;
}

/**
 * Both distributions at the first difference; each has a row for the other's token too.
 *
 * @param {Pair<Configuration>} pair @param {Pair<Place>} places @param {number[]} ids
 * @param {number} promptLength @param {Pair<number>} picked @param {Bench} bench
 * @returns {Promise<Pair<Distribution>>}
 */
async function predict(pair, places, ids, promptLength, picked, { calls, report, signal }) {
  report(words.readingDistributions);
  const asked = pair.map(({ controls, cache, kernel }, side) =>
    calls.ask(
      places[side].workerId,
      {
        method: "predict",
        ids,
        promptLength,
        settings: toSettings(controls),
        seed: controls.seed,
        rows,
        markedId: picked[1 - side],
        cache: cache === "on",
        kernel,
      },
      { signal },
    ),
  );
  const [one, other] = await Promise.all(asked);
  return [one.distribution, other.distribution];
}

/**
 * The same prompt under `count` seeds, from that of the configuration on.
 *
 * @param {Configuration} configuration @param {Side} side @param {number} count @param {string} prompt @param {Bench} bench
 */
export async function sample(configuration, side, count, prompt, { calls, placeOf, report, signal }) {
  const { controls, cache, kernel } = configuration;
  const { workerId } = await placeOf(configuration);
  report(words.sampling(count, words.sides[side]));
  const { samples, distinct } = await calls.ask(
    workerId,
    {
      method: "samples",
      prompt: { text: prompt },
      settings: toSettings(controls),
      seed: controls.seed,
      count,
      limits: toLimits(controls),
      cache: cache === "on",
      kernel,
    },
    { signal },
  );
  return { of: configuration, side, samples, distinct };
}
