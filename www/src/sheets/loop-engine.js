/** Runs a program of the loop builder with calls to the page's engine, and judges it by the engine's own loop. */

import { guardPasses, judge, loopMaxNewTokens, runLoop } from "./loop.js";

/** @import { Settings } from "../protocol.js" */
/** @import { Bench } from "./bench.js" */
/** @import { Facts } from "./types.js" */

/**
 * @param {string[]} program
 * @param {Pick<Bench, "tokenize" | "logits" | "step" | "nameOf" | "generate" | "report" | "vocabulary" | "model">} bench
 * @param {{ settings: Settings, seed: number, prompt: string }} run the page's settings, seed and prompt
 * @returns {Promise<Facts>}
 */
export async function runOnEngine(program, bench, { settings, seed, prompt }) {
  /** @type {Map<number, string>} */
  const names = new Map();
  const engine = {
    vocabulary: bench.vocabulary,
    endToken: bench.model.card.eosTokenId,
    tokenize: async (/** @type {string} */ text) => (await bench.tokenize(text)).ids,
    forward: (/** @type {number[]} */ ids) => bench.logits(ids, { positions: "all" }),
    async sample(/** @type {Float32Array} */ scores, /** @type {number[]} */ history, /** @type {number} */ promptLength) {
      const step = await bench.step(scores, settings, { history, promptLength, seed });
      return step.draw.id;
    },
    async detokenize(/** @type {number[]} */ ids) {
      for (const id of ids) await name(id);
      return ids.map((id) => names.get(id)).join("");
    },
  };

  /** @param {number} id */
  async function name(id) {
    const known = names.get(id) ?? (await bench.nameOf(id));
    names.set(id, known);
    return known;
  }

  bench.report("Running the page's own loop, to compare with");
  const own = await bench.generate({ prompt, settings, seed, maxNewTokens: loopMaxNewTokens, ignoreEos: false });
  const outcome = await runLoop(program, engine, prompt, (pass) =>
    bench.report(`Your loop, pass ${pass} of at most ${guardPasses}`),
  );
  const pieces = [];
  for (const id of outcome.made) pieces.push(await name(id));
  const { kind, words } = judge(outcome, Array.from(own.newIds));
  return {
    kind,
    verdict: words,
    made: outcome.made,
    pieces,
    text: outcome.text,
    ownText: own.text,
    forwardCalls: outcome.forwardCalls,
    passes: outcome.passes,
    tokens: outcome.made.length,
    guarded: outcome.guarded,
  };
}
