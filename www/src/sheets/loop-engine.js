/** Runs a program of the loop builder with calls to the page's engine, and judges it by the engine's own loop. */

import { words } from "../words/sheets-loop.js";
import { guardPasses, judge, loopMaxNewTokens, runLoop } from "./loop.js";

/** @import { Settings } from "../protocol.js" */
/** @import { Bench } from "./bench.js" */
/** @import { Facts } from "./types.js" */

/**
 * @param {string[]} program
 * @param {Pick<Bench, "tokenize" | "logits" | "step" | "detokenize" | "generate" | "report" | "vocabulary" | "model">} bench
 * @param {{ settings: Settings, seed: number, prompt: string }} run the page's settings, seed and prompt
 * @returns {Promise<Facts>}
 */
export async function runOnEngine(program, bench, { settings, seed, prompt }) {
  const engine = {
    vocabulary: bench.vocabulary,
    endToken: bench.model.card.eosTokenId,
    tokenize: async (/** @type {string} */ text) => (await bench.tokenize(text)).ids,
    forward: (/** @type {number[]} */ ids) => bench.logits(ids, { positions: "all" }),
    async sample(/** @type {Float32Array} */ scores, /** @type {number[]} */ history, /** @type {number} */ promptLength) {
      const step = await bench.step(scores, settings, { history, promptLength, seed });
      return step.draw.id;
    },
    detokenize: async (/** @type {number[]} */ ids) => (await bench.detokenize(ids)).text,
  };

  bench.report(words.ownLoop);
  const own = await bench.generate({ prompt, settings, seed, maxNewTokens: loopMaxNewTokens, ignoreEos: false });
  const outcome = await runLoop(program, engine, prompt, (pass) =>
    bench.report(words.pass(pass, guardPasses)),
  );
  const { pieces } = await bench.detokenize(outcome.made);
  const { kind, words: verdict } = judge(outcome, Array.from(own.newIds));
  return {
    kind,
    verdict,
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
