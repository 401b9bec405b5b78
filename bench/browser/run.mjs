/**
 * Speed in Chromium, over the built page: one table of every engine (kernel, precision, build), measured in turns.
 *
 *   node bench/browser/run.mjs [--dist dist] [--weights FILE] [--repeats 5] [--only "fused,candle f32 baseline"]
 *     [--prefill 16,128,512,1000] [--contexts 16,256,1000,2000] [--beside "NAME=ADDRESS,NAME=ADDRESS"] [--out FILE.json]
 *
 * FILE is made by `cargo run -p logit-lab-tests --bin make-stand-in -- FILE`. See bench/README.md for what is measured.
 */
import { copyFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { openBrowser } from "../../tests/browser/driver.mjs";
import { startServer } from "../../tests/browser/server.mjs";
import { chosenConfigurations, nameOf } from "./configurations.mjs";
import { measureOther, openOther, ratios } from "./others.mjs";
import { LARGEST_BYTES, MEASURE_STREAM, PREPARE_STREAM, streamModule } from "./stream-wasm.mjs";
import { markdownTable, median, spread } from "./table.mjs";

/** @import { Configuration } from "./configurations.mjs" */
/** @import { Figures, Other } from "./others.mjs" */

const repository = fileURLToPath(new URL("../../", import.meta.url));
const { values: options } = parseArgs({
  options: {
    dist: { type: "string", default: path.join(repository, "dist") },
    weights: {
      type: "string",
      default:
        process.env.LOGIT_LAB_STAND_IN ?? path.join(repository, "tests/fixtures/generated/stand-in.safetensors"),
    },
    repeats: { type: "string", default: "5" },
    only: { type: "string" },
    prefill: { type: "string", default: "16,128,512,1000" },
    contexts: { type: "string", default: "16,256,1000,2000" },
    beside: { type: "string" },
    out: { type: "string" },
  },
});

/** Steps after the first token; fewer where the context ends. */
const DECODE_STEPS = 64;
/** Tokens of the one pass before any figure counts. */
const WARM_UP = { length: 128, steps: 64 };
const CHAIN = {
  chain: [
    { kind: "temperature", value: 0.8 },
    { kind: "topK", value: 50 },
    { kind: "topP", value: 0.9 },
  ],
};
/** A page in the background must run as fast as one in front: each engine has a tab of its own. */
const FLAGS = [
  "--disable-renderer-backgrounding",
  "--disable-background-timer-throttling",
  "--disable-backgrounding-occluded-windows",
];

/** In the page. Loads a configuration and answers with the model's card. */
const LOAD = `return (await logitLab.loadModel(args[0])).card;`;
/** In the page. One prefill and some steps; answers in milliseconds. */
const GENERATE = `
  const [ids, maxNewTokens, settings] = args;
  const { newIds, timingsMs } = await logitLab.generate({ ids, maxNewTokens, settings, seed: 1, ignoreEos: true });
  return { prefill: timingsMs.prefill, decodeSteps: timingsMs.decodeSteps, sampling: timingsMs.sampling / newIds.length };
`;
/** In the page. The output head alone, for one position: milliseconds on average. */
const HEAD = `return logitLab.headTime({ repeats: 64 });`;

/**
 * @typedef {object} Row
 * @property {string} name
 * @property {Configuration} configuration
 * @property {string} tab
 * @property {import("../../www/src/protocol.js").ModelCard} card
 * @property {number} stepBytes weights that one decode step reads
 * @property {number} headBytes those of them that are the output head's
 * @property {Record<number, number[]>} prefillMs
 * @property {Record<number, number[]>} tokensPerSecond
 * @property {number[]} greedySamplingMs
 * @property {number[]} chainSamplingMs
 * @property {number[]} streamGbPerS
 * @property {number[]} headMs
 * @property {number[]} headStreamGbPerS
 */

const numbers = (/** @type {string} */ text) => text.split(",").map(Number);
const prefillLengths = numbers(options.prefill);
const contexts = numbers(options.contexts);
const repeats = Number(options.repeats);
const say = (/** @type {string} */ text) => process.stderr.write(`${text}\n`);

/** The same ids in every run, all of them ordinary tokens. @param {number} count */
function promptOf(count) {
  let state = 1;
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return 100 + (state % 50_000);
  });
}

/**
 * Everything but the embedding, of which a step reads one row; where head and embedding are one matrix, all of it.
 *
 * @param {Row["card"]} card
 */
function stepBytes({ parameters, vocabSize, hiddenSize, tieWordEmbeddings, memory }) {
  const idle = tieWordEmbeddings ? 0 : (vocabSize * hiddenSize) / parameters;
  return memory.weightBytes * (1 - idle);
}

/** @param {Row["card"]} card */
const headBytes = ({ parameters, vocabSize, hiddenSize, memory }) =>
  (memory.weightBytes * vocabSize * hiddenSize) / parameters;

const model = await mkdtemp(path.join(os.tmpdir(), "logit-lab-bench-"));
await copyFile(options.weights, path.join(model, "model.safetensors")).catch(() => {
  throw new Error(`no weights at ${options.weights}: cargo run -p logit-lab-tests --bin make-stand-in -- FILE`);
});
for (const name of ["config.json", "tokenizer.json"])
  await copyFile(path.join(repository, "tests/fixtures/pythia-14m", name), path.join(model, name));
const { max_position_embeddings: positions } = JSON.parse(await readFile(path.join(model, "config.json"), "utf8"));
const server = await startServer({ root: options.dist, folders: { "/bench-model/": model } });
// All rows under the same conditions: the service worker would isolate every tab but the first, which changes its clock.
server.misbehave({ at: "sw.js", status: 404 });
const browser = await openBrowser({ flags: FLAGS });
const { driver } = browser;

/** @param {string} tab */
async function show(tab) {
  await driver.switchTo().window(tab);
  await browser.devTools("Page.bringToFront");
}

/** Opens a tab and loads a configuration in it; null, with a line, where the engine refuses.
 * @param {Configuration} configuration @param {string[]} skipped @returns {Promise<Row | null>}
 */
async function openRow(configuration, skipped) {
  await driver.switchTo().newWindow("tab");
  const tab = await driver.getWindowHandle();
  await browser.open(`${server.url}?model=tales-2m`);
  await browser.waitFor("window.logitLab", () => browser.run("return Boolean(window.logitLab);"));
  try {
    const card = await browser.run(LOAD, { base: "/bench-model/", ...configuration });
    if (card.simd !== configuration.simd) throw new Error(`the engine says that it is the ${card.simd} build`);
    await browser.run(GENERATE, promptOf(WARM_UP.length), WARM_UP.steps, CHAIN);
    await browser.run(HEAD);
    return {
      name: nameOf(configuration),
      configuration,
      tab,
      card,
      stepBytes: stepBytes(card),
      headBytes: headBytes(card),
      prefillMs: {},
      tokensPerSecond: {},
      greedySamplingMs: [],
      chainSamplingMs: [],
      streamGbPerS: [],
      headMs: [],
      headStreamGbPerS: [],
    };
  } catch (error) {
    skipped.push(`${nameOf(configuration)}: ${error instanceof Error ? error.message : String(error)}`);
    await driver.close();
    return null;
  }
}

/** Steps after a prompt of each length; none where only its prefill is measured. */
const plan = new Map(
  [...prefillLengths, ...contexts].map((length) => [
    length,
    contexts.includes(length) ? Math.min(DECODE_STEPS, positions - length) : 0,
  ]),
);

/** One pass over all lengths. @param {Row} row */
async function measure(row) {
  await show(row.tab);
  for (const [length, steps] of plan) {
    const { prefill, decodeSteps, sampling } = await browser.run(GENERATE, promptOf(length), 1 + steps, { greedy: true });
    if (prefillLengths.includes(length)) (row.prefillMs[length] ??= []).push(prefill);
    if (steps > 0) {
      const ms = decodeSteps.reduce((/** @type {number} */ sum, /** @type {number} */ step) => sum + step, 0);
      (row.tokensPerSecond[length] ??= []).push((1000 * decodeSteps.length) / ms);
    }
    if (length === contexts[0]) row.greedySamplingMs.push(sampling);
  }
  row.chainSamplingMs.push((await browser.run(GENERATE, promptOf(contexts[0]), DECODE_STEPS, CHAIN)).sampling);
  row.headMs.push(await browser.run(HEAD));
}

/** @param {Row} row what its decode step reaches of the machine's limit, for as many bytes */
function share(row) {
  const stepS = 1 / median(row.tokensPerSecond[contexts[0]]);
  const gbPerS = row.stepBytes / stepS / 1e9;
  return [gbPerS.toFixed(1), `${Math.round((100 * gbPerS) / median(row.streamGbPerS))} %`];
}

/** @param {Row} row what the output head alone reaches of it, for the head's bytes: the middle of the turns' own shares */
function headShare({ headBytes, headMs, headStreamGbPerS }) {
  const shares = headMs.map((ms, turn) => headBytes / ms / 1e6 / headStreamGbPerS[turn]);
  return `${Math.round(100 * median(shares))} %`;
}

try {
  /** @type {string[]} */
  const skipped = [];
  /** @type {Row[]} */
  const rows = [];
  const start = await driver.getWindowHandle();
  await browser.open(`${server.url}?model=tales-2m`);
  await browser.run(PREPARE_STREAM, streamModule());
  for (const configuration of chosenConfigurations(options.only)) {
    const row = await openRow(configuration, skipped);
    if (row) rows.push(row);
    await driver.switchTo().window(start);
  }
  /** @type {Other[]} */
  const others = [];
  for (const text of options.beside?.split(",") ?? []) others.push(await openOther(browser, text));
  /** @type {number[]} */
  const farStream = [];
  for (let repeat = 0; repeat < repeats; repeat++) {
    await show(start);
    farStream.push(await browser.run(MEASURE_STREAM, LARGEST_BYTES));
    for (const row of rows) {
      await show(start);
      row.streamGbPerS.push(await browser.run(MEASURE_STREAM, row.stepBytes));
      row.headStreamGbPerS.push(await browser.run(MEASURE_STREAM, row.headBytes));
      await measure(row);
    }
    for (const other of others) {
      await show(other.tab);
      await measureOther(browser, other, plan);
    }
    say(`repeat ${repeat + 1} of ${repeats} done`);
  }

  const version = (await driver.getCapabilities()).get("browserVersion");
  const head = [
    "engine",
    ...prefillLengths.map((length) => `prefill ${length}, ms`),
    ...contexts.map((length) => `decode at ${length}, tokens/s`),
    "greedy pick, ms",
    "top-k 50, top-p 0.9 pick, ms",
    "weights a step reads, MB",
    "read by a step, GB/s",
    "limit for as many bytes, GB/s",
    "share of the limit",
    "head alone, ms",
    "limit for the head's bytes, GB/s",
    "head's share of it",
  ];
  /** @param {Figures} figures */
  const times = ({ name, prefillMs, tokensPerSecond }) => [
    name,
    ...prefillLengths.map((length) => spread(prefillMs[length])),
    ...contexts.map((length) => spread(tokensPerSecond[length])),
  ];
  /** @param {Figures} figures with nothing in the columns that only an engine of this page has */
  const alone = (figures) => Object.assign(head.map(() => ""), times(figures));
  const lines = rows.map((row) => [
    ...times(row),
    spread(row.greedySamplingMs),
    spread(row.chainSamplingMs),
    (row.stepBytes / 1e6).toFixed(1),
    share(row)[0],
    spread(row.streamGbPerS),
    share(row)[1],
    spread(row.headMs),
    spread(row.headStreamGbPerS),
    headShare(row),
  ]);
  const beside = ratios(rows, others, prefillLengths, contexts);
  const cpu = os.cpus()[0]?.model.trim() ?? "unknown processor";
  process.stdout.write(
    `Chromium ${version}, ${cpu}, ${os.cpus().length} cores, one thread at work; median (least-most) of ${repeats}.\n` +
      `Reading 64 MiB of memory in WebAssembly: ${spread(farStream)} GB/s.\n\n${markdownTable(head, [...lines, ...others.map(alone)])}\n\n` +
      (others.length === 0 ? "" : `${markdownTable(beside.head, beside.lines)}\n\n`) +
      skipped.map((line) => `skipped: ${line}\n`).join(""),
  );
  if (options.out !== undefined) {
    const machine = { chromium: version, cpu, cores: os.cpus().length, load: os.loadavg() };
    const result = { machine, repeats, farStreamGbPerS: farStream, rows, others, skipped };
    await writeFile(options.out, `${JSON.stringify(result, null, 2)}\n`);
  }
} finally {
  await browser.close();
  await server.close();
  await rm(model, { recursive: true });
}
