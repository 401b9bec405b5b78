/** A configuration of a run: where it starts from, how two differ in words, and how it stands in a link. */

import { chainKinds, defaultControls, toLimits, toSettings } from "../controls.js";
import { engineChoices } from "../engine-choices.js";
import { setting } from "../format.js";
import { presets, sameSetting } from "../presets.js";
import { takeControl } from "../url-state.js";
import { words } from "../words/ab.js";
import { words as labWords } from "../words/lab-work.js";

/** @import { CatalogueEntry } from "../messages.js" */
/** @import { Controls, State } from "../page-types.js" */
/** @import { Configuration, EngineField, Pair } from "./types.js" */

/** What can be chosen of a run's engine.
 * @type {{ name: EngineField, label: string, values: { value: string, label: string, needsRelaxedSimd?: boolean }[] }[]}
 */
export const engineFields = [
  ...engineChoices.map(({ name, values }) => ({ name, label: words.fields[name], values })),
  {
    name: "cache",
    label: words.fields.cache,
    values: [
      { value: "on", label: words.cache.on },
      { value: "off", label: words.cache.off },
    ],
  },
];

/** All of a run's engine, the model first. */
const engineNames = /** @type {EngineField[]} */ (["model", ...engineFields.map(({ name }) => name)]);

const usualEngine = /** @type {Omit<Configuration, "controls" | "model">} */ (
  Object.fromEntries(engineFields.map(({ name, values }) => [name, values[0].value]))
);

/** @type {Configuration} */
export const usualConfiguration = { controls: defaultControls, model: null, ...usualEngine };

/** What the page has now.
 * @param {Pick<State, "controls" | "model"> & Partial<Pick<State, "uncached">>} state @returns {Configuration}
 */
export function pageConfiguration({ controls, model, uncached = false }) {
  const {
    precision = usualEngine.precision,
    kvCache = usualEngine.kvCache,
    kernel = usualEngine.kernel,
    simd = usualEngine.simd,
  } = model?.card ?? {};
  return { ...usualConfiguration, controls, precision, kvCache, kernel, simd, cache: uncached ? "off" : "on" };
}

/** The first lesson's own pair: the highest score each time, against drawing with a seed.
 * @param {Configuration} configuration @returns {Pair<Configuration>}
 */
export function greedyAgainstSeeded(configuration) {
  const { controls } = configuration;
  return [
    { ...configuration, controls: { ...controls, greedy: true } },
    { ...configuration, controls: { ...controls, greedy: false } },
  ];
}

/** Settings that a side can start from. A purpose leaves the seed as it is.
 * @type {{ id: string, label: string, values: Partial<Controls> }[]}
 */
export const starts = [
  { id: "greedy", label: words.starts.greedy, values: { greedy: true } },
  { id: "plain", label: words.starts.plain, values: plainSampling() },
  ...presets.map(({ id, label, values }) => ({ id, label, values })),
];

function plainSampling() {
  const { seed: _seed, rows: _rows, maxNewTokens: _max, ...values } = defaultControls;
  return values;
}

/**
 * What an engine's choice is called. @param {EngineField} name @param {string | null} value
 * @param {CatalogueEntry[]} entries
 */
export function engineWords(name, value, entries) {
  if (name === "model") return entries.find(({ id }) => id === value)?.title ?? labWords.pageModel;
  const choice = engineFields.find((field) => field.name === name);
  const label = choice?.values.find((candidate) => candidate.value === value)?.label;
  return label === undefined ? String(value) : labWords.withoutDefault(label);
}

/** What is compared of the controls beside greedy and the seed, in the order in which it is told. */
const controlNames = /** @type {const} */ ([
  "temperature",
  "topK",
  "topP",
  "minP",
  "order",
  "bypassed",
  "repetitionPenalty",
  "noRepeatNgram",
  "minNewTokens",
  "suppress",
  "maxNewTokens",
  "stop",
  "ignoreEos",
]);

/**
 * In what two configurations differ: the name of each thing with both values, in words.
 * @param {Pair<Configuration>} pair @param {CatalogueEntry[]} [entries]
 * @returns {{ name: string, label: string, values: Pair<string> }[]}
 */
export function differences([a, b], entries = []) {
  const found = [];
  if (a.controls.greedy !== b.controls.greedy) {
    found.push({ name: "greedy", label: words.things.greedy, values: /** @type {Pair<string>} */ ([decoding(a), decoding(b)]) });
  }
  const bothGreedy = a.controls.greedy && b.controls.greedy;
  if (!bothGreedy && a.controls.seed !== b.controls.seed) {
    found.push({
      name: "seed",
      label: words.things.seed,
      values: /** @type {Pair<string>} */ ([`${a.controls.seed}`, `${b.controls.seed}`]),
    });
  }
  for (const name of controlNames) {
    if (sameSetting(a.controls[name], b.controls[name])) continue;
    const values = /** @type {Pair<string>} */ ([written(a.controls[name]), written(b.controls[name])]);
    found.push({ name, label: words.things[name], values });
  }
  for (const name of engineNames) {
    if (a[name] === b[name]) continue;
    const values = /** @type {Pair<string>} */ ([
      engineWords(name, a[name], entries),
      engineWords(name, b[name], entries),
    ]);
    found.push({ name, label: words.things[name], values });
  }
  return found;
}

/** @param {Configuration} configuration */
const decoding = ({ controls }) => (controls.greedy ? words.decoding.greedy : words.decoding.drawing);

/** @param {unknown} value */
function written(value) {
  if (typeof value === "number") return setting(value);
  if (typeof value === "boolean") return value ? words.yes : words.no;
  return String(value) === "" ? words.none : String(value);
}

/**
 * The engine's call that makes a run of a configuration. @param {Configuration} configuration @param {string} prompt
 */
export function generateCall({ controls, cache, kernel }, prompt) {
  return {
    method: /** @type {const} */ ("generate"),
    prompt: { text: prompt },
    settings: toSettings(controls),
    seed: controls.seed,
    limits: toLimits(controls),
    cache: cache === "on",
    kernel,
  };
}

// ---------------------------------------------------------------------------------------------------------------- links

const names = /** @type {(keyof Controls)[]} */ (Object.keys(defaultControls).filter((name) => name !== "rows"));

/** What differs from the usual, as `name:value` with commas between; the seed always, because it decides the text.
 * @param {Configuration} configuration
 */
export function toLink(configuration) {
  const { controls } = configuration;
  const parts = [];
  for (const name of names) {
    if (name !== "seed" && sameSetting(controls[name], defaultControls[name])) continue;
    const value = controls[name];
    const text =
      typeof value === "boolean" ? String(Number(value)) : Array.isArray(value) ? value.join(".") : String(value);
    parts.push(`${name}:${encodeURIComponent(text)}`);
  }
  for (const name of engineNames) {
    const value = configuration[name];
    if (value !== usualConfiguration[name] && value !== null) parts.push(`${name}:${encodeURIComponent(value)}`);
  }
  return parts.join(",");
}

/**
 * What is unknown or out of range is left as usual. @param {string} text @param {CatalogueEntry[]} entries
 * @returns {Configuration}
 */
export function fromLink(text, entries) {
  /** @type {Partial<Controls>} */
  const controls = {};
  const configuration = { ...usualConfiguration };
  for (const part of text.split(",")) {
    const [name, ...rest] = part.split(":");
    const value = decoded(rest.join(":"));
    const list = ["order", "bypassed", "suppress"].includes(name);
    if (name !== "rows" && takeControl(controls, name, list ? value.replaceAll(".", ",") : value)) continue;
    if (name === "model" && entries.some(({ id }) => id === value)) configuration.model = value;
    const field = engineFields.find((candidate) => candidate.name === name);
    if (field?.values.some((candidate) => candidate.value === value)) Object.assign(configuration, { [name]: value });
  }
  return { ...configuration, controls: { ...defaultControls, order: chainKinds, ...controls } };
}

/** @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}
