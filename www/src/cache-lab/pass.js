/** What a forward pass did, position by position, as stretches of positions that are alike. */

import { words } from "../words/cache.js";

/** @import { CacheState } from "../protocol.js" */

/**
 * - reused: was in the cache and was read again
 * - again: an entry of this position was thrown away, and the pass computed it anew
 * - computed: nothing was there before
 * - gone: was thrown away, and the text has no such position any more
 * - unread: the text's newest token, which no pass has read yet
 * @typedef {"reused" | "again" | "computed" | "gone" | "unread"} Fate
 */

/** @typedef {{ fate: Fate, first: number, count: number }} Stretch `first`: position from 0 */

/** @param {Pick<CacheState, "reused" | "computed" | "discarded" | "tokens">} pass @returns {Stretch[]} */
export function stretchesOf({ reused, computed, discarded, tokens }) {
  const read = reused + computed;
  const before = reused + discarded;
  /** @type {[Fate, number, number][]} */
  const bounds = [
    ["reused", 0, reused],
    ["again", reused, Math.min(read, before)],
    ["computed", before, read],
    ["gone", read, before],
    ["unread", Math.max(read, before), Math.max(read, before) + Math.max(0, tokens.ids.length - read)],
  ];
  return bounds.filter(([, first, end]) => end > first).map(([fate, first, end]) => ({ fate, first, count: end - first }));
}

const mostColumns = 64;

/**
 * Columns of the grid: one a position, or one for several where there are many. A column never mixes two fates.
 * @param {Stretch[]} stretches @returns {{ perColumn: number, columns: { fate: Fate, first: number, count: number }[] }}
 */
export function columnsOf(stretches) {
  const positions = stretches.reduce((sum, stretch) => sum + stretch.count, 0);
  const perColumn = Math.max(1, Math.ceil(positions / mostColumns));
  const columns = stretches.flatMap(({ fate, first, count: length }) =>
    Array.from({ length: Math.ceil(length / perColumn) }, (_, n) => ({
      fate,
      first: first + n * perColumn,
      count: Math.min(perColumn, length - n * perColumn),
    })),
  );
  return { perColumn, columns };
}

/** The pass in some sentences. @param {CacheState} pass */
export function passSentence({ reused, computed, discarded, shared, layers, cache }) {
  if (reused + computed === 0) return words.noPass;
  const kept = shared - reused;
  return [
    words.pass(reused, computed, layers),
    ...(discarded > 0 ? [words.lost(discarded)] : []),
    ...(kept > 0 ? [words.sameTokens(kept, cache)] : []),
  ].join(" ");
}
