/** Logits of two places for the same positions, block by block: all at once would be more than should cross at a time. */

import { words } from "../words/ab.js";
import { blocksOf } from "./alignment.js";

/** @import { Place } from "../lab-places.js" */
/** @import { WorkTools } from "../lab-work.js" */
/** @import { Configuration, Pair } from "./types.js" */

/**
 * Those after the prompt and after each further token, as a run reads them. Each pair is row-major,
 * `[positions, vocabulary]`.
 *
 * @param {Pair<Pick<Configuration, "cache" | "kernel">>} pair @param {Pair<Place>} places @param {number[]} ids
 * @param {number} promptLength @param {Pick<WorkTools, "calls" | "report" | "signal">} tools
 * @returns {AsyncGenerator<Pair<Float32Array>, void>}
 */
export async function* logitBlocks(pair, places, ids, promptLength, { calls, report, signal }) {
  const positions = ids.length - promptLength + 1;
  let done = 0;
  for (const block of blocksOf(promptLength - 1, positions, places[0].vocabulary)) {
    report(words.comparingLogits(done, positions));
    const asked = pair.map(({ cache, kernel }, side) =>
      calls.ask(
        places[side].workerId,
        // What follows the block is not needed for it.
        {
          method: "logits",
          ids: ids.slice(0, block.first + block.count),
          positions: { some: block },
          promptLength,
          cache: cache === "on",
          kernel,
        },
        { signal },
      ),
    );
    const [one, other] = await Promise.all(asked);
    signal.throwIfAborted();
    yield [one.logits, other.logits];
    done += block.count;
  }
}
