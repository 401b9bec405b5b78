/** logitLab.benchmark(): a fixed workload measured again and again, alone or beside another in turns. */

/** @import { Call, Outcome } from "./protocol.js" */

/** @typedef {Record<string, any>} Arguments what a script passes; the engine checks the rest */
/** @typedef {{ outcomes: Outcome[] }} Measured */

/**
 * @param {(call: any, options?: { needsModel?: boolean }) => Promise<any>} ask
 * @param {number[]} ids the prompt's tokens, held fixed
 * @param {Arguments} options
 */
export async function benchmark(ask, ids, options) {
  const { newTokens = 32, repeats = 5, warmUps = 1, forced = true, stop = [], against, seed = 0, ...engine } = options;
  const limits = { maxNewTokens: newTokens, stop };
  const shared = { method: /** @type {const} */ ("benchmark"), ids, limits, forced, seed, ...engine };
  const sides = against === undefined ? [shared] : [shared, { ...shared, ...against }];
  /** @type {Outcome[][]} */
  const outcomes = sides.map(() => []);
  for (let round = 0; round < warmUps + repeats; round += 1) {
    const runs = round < warmUps ? { warmUps: 1, repeats: 0 } : { warmUps: 0, repeats: 1 };
    for (const [side, call] of sides.entries()) {
      /** @type {Measured} */
      const made = await ask({ ...call, ...runs });
      outcomes[side].push(...made.outcomes);
    }
  }
  const [first, second = []] = outcomes;
  const { summary } = await ask({ method: "summarize", first, second }, { needsModel: false });
  return { ids, outcomes: first, otherOutcomes: second, ...summary };
}
