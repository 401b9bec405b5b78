/** What came of a batch, in sentences. */

import { words } from "../words/batch.js";

/** @import { BatchedRequest, BatchResult, BatchWork } from "../protocol.js" */
/** @import { MadeBatch } from "./types.js" */

/** Whether each row made what its request makes alone. @param {BatchResult} result */
export function equalitySentence({ requests }) {
  const compared = requests.filter((request) => request.alone !== null && request.stopReason !== null);
  if (compared.length === 0) return words.notCompared;
  const parted = compared.flatMap(({ name, alone }) => {
    const at = alone?.run.firstDifference ?? null;
    return at === null ? [] : [{ name, at: at + 1 }];
  });
  return parted.length === 0 ? words.equal(compared.length, requests.length) : words.parted(parted);
}

/** @param {BatchWork} work */
export const placesOf = ({ real, padding, finished }) => real + padding + finished;

/** What was computed, and how much of it for nothing. @param {BatchWork} work */
export function workSentence(work) {
  const { real, padding, finished } = work;
  const all = placesOf(work);
  return words.work({ all, real, padding, finished }, all === 0 ? 0 : ((padding + finished) / all) * 100);
}

/** What letting newcomers in cost. @param {BatchResult} result */
export const admissionSentence = ({ work, admissionMs }) =>
  work.rebuilds === 0 ? words.nobodyLetIn : words.letIn(work.rebuilds, work.copiedBytes, admissionMs);

/** @param {BatchResult} result */
export function throughputSentence({ newTokens, batchMs, tokensPerSecond, aloneMs, tokensPerSecondAlone }) {
  if (tokensPerSecond === null) return words.untimed(newTokens, batchMs);
  const sentences = [words.together(newTokens, batchMs, tokensPerSecond)];
  if (aloneMs !== null && tokensPerSecondAlone !== null) {
    sentences.push(words.inTurn(aloneMs, tokensPerSecondAlone, tokensPerSecond / tokensPerSecondAlone));
    if (tokensPerSecond < tokensPerSecondAlone) sentences.push(words.slower);
    sentences.push(words.once);
  }
  return sentences.join(" ");
}

/** What a person gets of it: who waited longer in the batch than a run of their own takes. @param {BatchResult} result */
export function latencySentence({ requests }) {
  const longer = requests.filter(
    ({ latencyMs, alone }) => latencyMs !== null && alone !== null && latencyMs > alone.runMs,
  );
  const worst = longer.reduce(
    (/** @type {BatchedRequest | null} */ most, one) =>
      most === null || ratio(one) > ratio(most) ? one : most,
    null,
  );
  if (worst === null) return words.nobodyLonger;
  const names = longer.length === requests.length ? null : longer.map(({ name }) => name);
  return words.longer(names, { name: worst.name, ms: worst.latencyMs ?? 0, aloneMs: worst.alone?.runMs ?? 0 });
}

/** @param {BatchedRequest} request */
const ratio = ({ latencyMs, alone }) => (latencyMs ?? 0) / Math.max(1e-6, alone?.runMs ?? 1);

/** @param {BatchResult} result */
export function orderSentence({ requests, order }) {
  const given = requests.map(({ name }) => name);
  const rows = Array.from(order, (index) => given[index]);
  const same = rows.every((name, index) => name === given[index]);
  return same ? words.inOrder(given) : words.reordered(given, rows);
}

/** What the order of the rows did, where the batch was run with both. @param {MadeBatch} made */
export function reversedSentence({ result: { requests }, of, greedy }) {
  const both = requests.filter(({ reversed }) => reversed !== null);
  if (both.length === 0) return null;
  const changed = both.filter(({ reversed }) => reversed?.firstDifference !== null).map(({ name }) => name);
  if (changed.length > 0) return words.otherOrder(changed);
  return of.sharedStream && greedy ? words.sameOrderGreedy : words.sameOrder;
}

/** What right padding did. @param {MadeBatch} made */
export function paddingSentence({ result: { requests, layouts }, of }) {
  if (!of.rightPadding) return null;
  const padded = new Set(
    layouts.filter(({ carried }) => !carried).flatMap(({ rows }) => rows.filter(({ cells }) => cells.includes(0))),
  );
  const short = [...padded].map(({ request }) => requests[request].name);
  return short.length === 0 ? words.equallyLong : words.readPadding(short);
}
