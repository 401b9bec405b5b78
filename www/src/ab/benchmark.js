/**
 * A fixed workload, measured on both sides in turns: A B A B. Every outcome is kept; what they amount to is the engine's
 * to say (lab/benchmark.rs).
 */

import { toLimits, toSettings } from "../controls.js";
import { Fault } from "../fault.js";
import { words } from "../words/ab-benchmark.js";
import { words as abWords } from "../words/ab.js";

/** @import { Place } from "../lab-places.js" */
/** @import { Outcome } from "../protocol.js" */
/** @import { Bench } from "./run.js" */
/** @import { Benchmark, BenchmarkPlan, Configuration, Pair } from "./types.js" */

/**
 * Stopped, it answers with the pairs that were finished, if there are any.
 *
 * @param {Pair<Configuration>} pair @param {BenchmarkPlan} plan @param {string} prompt @param {Bench} bench
 * @returns {Promise<Benchmark>}
 */
export async function benchmark(pair, plan, prompt, bench) {
  const { calls, report, signal } = bench;
  const one = await bench.placeOf(pair[0]);
  const places = /** @type {Pair<Place>} */ ([one, await bench.placeOf(pair[1])]);
  const ids = await idsOf(places, prompt, bench);
  /** @type {Pair<Outcome[]>} */
  const outcomes = [[], []];
  for (let round = 0; round < plan.warmUps + plan.repeats && !signal.aborted; round += 1) {
    /** @type {Outcome[]} */
    const made = [];
    for (const side of /** @type {const} */ ([0, 1])) {
      if (signal.aborted) break;
      report(roundWords(round, plan, abWords.sides[side]));
      made.push(...(await measure(pair[side], places[side], ids, round < plan.warmUps, plan, bench)));
    }
    // A run without its partner says nothing of the two.
    if (made.length === 2) made.forEach((outcome, side) => outcomes[side].push(outcome));
  }
  const complete = outcomes[0].length === plan.warmUps + plan.repeats;
  if (outcomes[0].every(({ warmUp }) => warmUp)) signal.throwIfAborted();
  const { summary } = await calls.ask(places[0].workerId, {
    method: "summarize",
    first: outcomes[0],
    second: outcomes[1],
  });
  const ownWorker = /** @type {Pair<boolean>} */ (places.map(({ own }) => own));
  return { of: pair, prompt, ids, plan, outcomes, summary, ownWorker, complete };
}

/** @param {number} round @param {BenchmarkPlan} plan @param {string} side */
function roundWords(round, { warmUps, repeats }, side) {
  return round < warmUps ? words.warmUpRound(round, warmUps, side) : words.round(round - warmUps, repeats, side);
}

/**
 * @param {Configuration} configuration @param {Place} place @param {number[]} ids @param {boolean} warmUp
 * @param {BenchmarkPlan} plan @param {Bench} bench
 */
async function measure({ controls, cache, kernel }, place, ids, warmUp, { newTokens, forced }, { calls, signal }) {
  const { outcomes } = await calls.ask(
    place.workerId,
    {
      method: "benchmark",
      ids,
      settings: toSettings(controls),
      seed: controls.seed,
      limits: toLimits(controls, newTokens),
      forced,
      warmUps: warmUp ? 1 : 0,
      repeats: warmUp ? 0 : 1,
      cache: cache === "on",
      kernel,
    },
    { signal },
  );
  return outcomes;
}

/**
 * The prompt's tokens, cut once and held fixed. Two models that cut it differently have no workload in common.
 *
 * @param {Pair<Place>} places @param {string} prompt @param {Bench} bench
 */
async function idsOf(places, prompt, { calls, signal }) {
  const [ids, others] = await Promise.all(
    places.map(async ({ workerId }) => {
      const { tokens } = await calls.ask(workerId, { method: "tokenize", text: prompt }, { signal });
      return Array.from(tokens.ids);
    }),
  );
  if (ids.join() !== others.join()) {
    throw new Fault("settings", words.otherTokens);
  }
  return ids;
}
