/** What the batch panel knows, as pure functions, and the engine's call that it makes of it. It is `batchLab` of the state. */

import { toSettings } from "../controls.js";
import { words } from "../words/batch.js";

/** @import { Controls, State } from "../page-types.js" */
/** @import { BatchLab, BatchSetup, RequestFields } from "./types.js" */

export const fewestRequests = 2;
export const mostRequests = 8;
/** A batch of long texts is seconds of work and tables that nobody reads. */
const mostNewTokens = 256;
const newTokens = [12, 24, 6, 18];

/** What the panel shows before anything is done there. @param {Pick<State, "batchLab" | "catalogue" | "model">} state */
export function batchOf({ batchLab, catalogue, model }) {
  if (batchLab !== null) return batchLab;
  const entry = catalogue?.models.find(({ id }) => id === model?.id) ?? catalogue?.models[0];
  return initialBatch(entry?.prompts ?? []);
}

/** Three prompts of different length: two of the catalogue's, the longest in the middle, so that an order by length is
 * another one, and the first words of a third, because catalogues like prompts of much the same length.
 * @param {string[]} prompts @returns {BatchLab}
 */
export function initialBatch(prompts) {
  const byLength = [...prompts].sort((a, b) => a.length - b.length);
  const short = byLength[0]?.split(" ").slice(0, 2).join(" ");
  const chosen = [byLength[1], byLength[byLength.length - 1], short].map((prompt) => prompt ?? "");
  return {
    setup: {
      requests: chosen.map((prompt, index) => request(index, prompt)),
      schedule: "one",
      rows: "2",
      sortByLength: false,
      alsoReversed: false,
      rightPadding: false,
      sharedStream: false,
    },
    layout: 0,
    maskRow: 0,
    made: null,
    work: null,
    fault: null,
  };
}

/** @param {number} index @param {string} prompt @returns {RequestFields} */
const request = (index, prompt) => ({
  name: words.names[index],
  prompt,
  newTokens: String(newTokens[index % newTokens.length]),
});

/** @param {BatchSetup} setup @param {number} index @param {Partial<RequestFields>} fields @returns {BatchSetup} */
export const withRequest = (setup, index, fields) => ({
  ...setup,
  requests: setup.requests.map((one, n) => (n === index ? { ...one, ...fields } : one)),
});

/** One more, with a name that is free. @param {BatchSetup} setup @param {string[]} prompts @returns {BatchSetup} */
export function withOneMore(setup, prompts) {
  const { requests } = setup;
  if (requests.length >= mostRequests) return setup;
  const free = words.names.findIndex((name) => requests.every((one) => one.name !== name));
  const unused = prompts.find((prompt) => requests.every((one) => one.prompt !== prompt));
  return { ...setup, requests: [...requests, request(Math.max(0, free), unused ?? prompts[0] ?? "")] };
}

/** @param {BatchSetup} setup @param {number} index @returns {BatchSetup} */
export const withoutRequest = (setup, index) =>
  setup.requests.length <= fewestRequests
    ? setup
    : { ...setup, requests: setup.requests.filter((_, n) => n !== index) };

/** @param {string} text @param {number} most */
function whole(text, most) {
  const value = Number(text);
  return text.trim() !== "" && Number.isInteger(value) && value >= 1 && value <= most ? value : null;
}

/**
 * What is wrong with what is typed: a sentence for each field, by its name.
 * @param {BatchSetup} setup @returns {Record<string, string>}
 */
export function faultsOf({ requests, schedule, rows }) {
  /** @type {Record<string, string>} */
  const faults = {};
  requests.forEach(({ name, prompt, newTokens }, index) => {
    if (name.trim() === "") faults[`name-${index}`] = words.requests.noName;
    else if (requests.some((other, n) => n < index && other.name === name)) faults[`name-${index}`] = words.requests.sameName;
    if (prompt === "") faults[`prompt-${index}`] = words.requests.noPrompt;
    if (whole(newTokens, mostNewTokens) === null)
      faults[`newTokens-${index}`] = words.requests.wrongNewTokens(mostNewTokens);
  });
  if (schedule !== "one" && whole(rows, mostRequests) === null)
    faults.rows = words.requests.wrongRows(mostRequests);
  return faults;
}

/**
 * The engine's call. Request n draws with the page's seed plus n, wherever its row is.
 * @param {BatchSetup} setup without faults
 * @param {Controls} controls
 */
export function callOf(setup, controls) {
  const { requests, schedule, rows, sortByLength, alsoReversed, rightPadding, sharedStream } = setup;
  /** @type {Extract<import("../protocol.js").Call, { method: "batch" }>} */
  const call = {
    method: "batch",
    requests: requests.map(({ name, prompt, newTokens }, index) => ({
      name,
      prompt: { text: prompt },
      seed: (controls.seed + index) % 2 ** 32,
      maxNewTokens: Number(newTokens),
    })),
    settings: toSettings(controls),
    sortByLength,
    // With a stream for all rows their order is what there is to see.
    alsoReversed: alsoReversed || sharedStream,
    padding: rightPadding ? "right" : "left",
    ignoreEos: controls.ignoreEos,
  };
  if (schedule !== "one") Object.assign(call, { rows: Number(rows), continuous: schedule === "continuous" });
  if (sharedStream) call.sharedSeed = controls.seed;
  return call;
}

/** Whether what is shown was made of other requests or with other options. @param {BatchLab} lab */
export const isOutdated = ({ setup, made }) => made !== null && made.of !== setup;

/** The row with the most padding: its mask has most to see. @param {import("../protocol.js").BatchResult["layouts"]} layouts @param {number} layout */
export function mostPadded(layouts, layout) {
  const padding = (layouts[layout]?.rows ?? []).map(({ cells }) => cells.filter((cell) => cell === 0).length);
  return Math.max(0, padding.indexOf(Math.max(...padding)));
}
