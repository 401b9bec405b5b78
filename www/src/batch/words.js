/** What came of a batch, in sentences. */

import { count, figure, milliseconds, plural, size } from "../format.js";

/** @import { BatchedRequest, BatchResult, BatchWork } from "../protocol.js" */
/** @import { MadeBatch } from "./types.js" */

/** "a", "a and b", "a, b and c". @param {string[]} words */
export function listed(words) {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words[words.length - 1]}`;
}

/** Whether each row made what its request makes alone. @param {BatchResult} result */
export function equalitySentence({ requests }) {
  const compared = requests.filter((request) => request.alone !== null && request.stopReason !== null);
  if (compared.length === 0) return "No request has been run alone to compare with.";
  const parted = compared.filter(({ alone }) => alone !== null && alone.run.firstDifference !== null);
  const who = compared.length === requests.length ? "Every request" : `Each of the ${compared.length} that were compared`;
  if (parted.length === 0) return `${who} made in the batch the very tokens that it makes alone.`;
  const places = parted.map(({ name, alone }) => `${name} from new token ${(alone?.run.firstDifference ?? 0) + 1} on`);
  return `Not what they make alone: ${listed(places)}.`;
}

/** @param {BatchWork} work */
export const placesOf = ({ real, padding, finished }) => real + padding + finished;

/** What was computed, and how much of it for nothing. @param {BatchWork} work */
export function workSentence(work) {
  const { real, padding, finished } = work;
  const places = placesOf(work);
  const share = places === 0 ? 0 : ((padding + finished) / places) * 100;
  return (
    `${plural(places, "place")} (a row in a column) went through the model for ${count(real)} real tokens: ` +
    `${count(padding)} of padding and ${count(finished)} of rows that were finished, ${share.toFixed(0)} % for nothing. ` +
    `One at a time takes ${count(real)}.`
  );
}

/** What letting newcomers in cost. @param {BatchResult} result */
export function admissionSentence({ work, admissionMs }) {
  if (work.rebuilds === 0) return "Nobody was let in or left: nothing was waiting, and nobody finished before the end.";
  return (
    `The batch was put together anew ${plural(work.rebuilds, "time")}: ${size(work.copiedBytes)} of KV cache was ` +
    `copied, and with the newcomers' prompts, which are run alone first, the others waited ${milliseconds(admissionMs)}.`
  );
}

/** @param {BatchResult} result */
export function throughputSentence({ newTokens, batchMs, tokensPerSecond, aloneMs, tokensPerSecondAlone }) {
  const together = `${plural(newTokens, "new token")} in ${milliseconds(batchMs)}`;
  if (tokensPerSecond === null) return `${together}.`;
  const first = `Together: ${together}, ${figure(tokensPerSecond)} tokens a second over all requests.`;
  if (aloneMs === null || tokensPerSecondAlone === null) return first;
  return (
    `${first} One at a time on the same kernel: ${milliseconds(aloneMs)}, ${figure(tokensPerSecondAlone)} tokens a second; ` +
    `the batch gave ${figure(tokensPerSecond / tokensPerSecondAlone)} times that. ` +
    (tokensPerSecond < tokensPerSecondAlone
      ? "Here what is computed for nothing, and the bookkeeping, cost more than sharing the weights saves. "
      : "") +
    "Each was measured once: run it again to see how far that varies."
  );
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
  const rule = "A higher throughput of all does not mean that each gets its answer sooner.";
  if (worst === null) return `Here nobody waited longer than a run alone takes. ${rule}`;
  return (
    `${rule} ${longer.length === requests.length ? "Everybody" : listed(longer.map(({ name }) => name))} waited longer than ` +
    `a run of their own takes: ${worst.name} ${milliseconds(worst.latencyMs ?? 0)} in place of ` +
    `${milliseconds(worst.alone?.runMs ?? 0)}, if nobody had been before them.`
  );
}

/** @param {BatchedRequest} request */
const ratio = ({ latencyMs, alone }) => (latencyMs ?? 0) / Math.max(1e-6, alone?.runMs ?? 1);

/** @param {BatchResult} result */
export function orderSentence({ requests, order }) {
  const given = requests.map(({ name }) => name);
  const rows = Array.from(order, (index) => given[index]);
  const same = rows.every((name, index) => name === given[index]);
  return same
    ? `As given, and in the rows from the top: ${given.join(", ")}.`
    : `As given: ${given.join(", ")}. In the rows from the top: ${rows.join(", ")}. Each result went back to its name.`;
}

/** What the order of the rows did, where the batch was run with both. @param {MadeBatch} made */
export function reversedSentence({ result: { requests }, of, greedy }) {
  const both = requests.filter(({ reversed }) => reversed !== null);
  if (both.length === 0) return null;
  const changed = both.filter(({ reversed }) => reversed?.firstDifference !== null).map(({ name }) => name);
  if (changed.length > 0) {
    return `With the rows in the opposite order ${listed(changed)} got another text, from the same prompts, settings and seed.`;
  }
  const same = "With the rows in the opposite order everybody got the same text.";
  return of.sharedStream && greedy ? `${same} Greedy decoding draws nothing; choose sampling to see the mistake.` : same;
}

/** What right padding did. @param {MadeBatch} made */
export function paddingSentence({ result: { requests, layouts }, of }) {
  if (!of.rightPadding) return null;
  const padded = new Set(
    layouts.filter(({ carried }) => !carried).flatMap(({ rows }) => rows.filter(({ cells }) => cells.includes(0))),
  );
  const short = [...padded].map(({ request }) => requests[request].name);
  return short.length === 0
    ? "All prompts are equally long, so there is no padding to read from."
    : `The first new token of ${listed(short)} was read from the last column, which is padding there.`;
}
