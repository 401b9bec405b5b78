/**
 * Runs the browser tests in one engine, and says which files it leaves out there.
 *
 *   node tests/browser/run.mjs [chromium | firefox | webkit] [FILE...]
 *
 * The rule: every file runs in Chromium; in the others, every file that is neither in CHROMIUM_ALONE nor in OPEN below. With
 * LOGIT_LAB_ALL_BROWSERS=1, or where files are named, nothing is left out but what an engine lacks (engines/engine.mjs).
 */
import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const ANSWERS = "is about what the engine answers and what the page makes of it, by the same elements as in files that run here";
const BYTES = "counts the bytes of the page, which are the same for every browser";

/**
 * What runs in Chromium alone unless it is asked for, each with the reason. All that a browser does its own way runs everywhere:
 * loading, storage, the service worker, sampling with its bits, layout, files, downloads, axe's rules.
 * @type {Record<string, string>}
 */
const CHROMIUM_ALONE = {
  ab: ANSWERS,
  address: ANSWERS,
  batch: ANSWERS,
  bench: ANSWERS,
  branches: ANSWERS,
  budget: BYTES,
  cache: ANSWERS,
  checkpoints: ANSWERS,
  example: ANSWERS,
  keyboard: "goes round the page by Tab, past its end, where the other drivers send the keys to the browser's own parts",
  language: "is about the words, which are the same files everywhere",
  models: ANSWERS,
  precision: ANSWERS,
  scripting: ANSWERS,
  sheets: ANSWERS,
  sizes: BYTES,
  soak: "measures memory and suspends tabs by Chromium's developer tools",
  timing: ANSWERS,
};

/**
 * What does not pass in an engine yet, with what is known of it; LOGIT_LAB_ALL_BROWSERS=1 runs these too.
 * @type {Record<string, Record<string, string>>}
 */
const OPEN = {
  webkit: { offline: "its driver now and then answers with an error while pages go and come (in 2 of the last 17 runs of the file)" },
};

const folder = path.dirname(fileURLToPath(import.meta.url));
const [engine = process.env.LOGIT_LAB_BROWSER ?? "chromium", ...named] = process.argv.slice(2);
const all = readdirSync(folder).filter((name) => name.endsWith(".test.mjs"));
const everything = engine === "chromium" || named.length > 0 || process.env.LOGIT_LAB_ALL_BROWSERS === "1";
/** @param {Record<string, string>[]} lists */
const filesOf = (...lists) => lists.flatMap(Object.keys).map((name) => `${name}.test.mjs`);
for (const file of filesOf(CHROMIUM_ALONE, ...Object.values(OPEN))) {
  if (!all.includes(file)) throw new Error(`a list here names ${file}, which is not there`);
}
const leftOut = everything ? [] : filesOf(CHROMIUM_ALONE, OPEN[engine] ?? {});
if (leftOut.length > 0)
  process.stdout.write(`skipped: ${leftOut.join(", ")} in ${engine} (tests/browser/run.mjs has the reasons)\n`);
const files = named.length > 0 ? named : all.filter((file) => !leftOut.includes(file)).map((file) => path.join(folder, file));

const FILE_LIMIT_MS = 15 * 60_000;
const options = [
  // Two at a time: each waits for its browser most of the time.
  "--test-concurrency=2",
  // A file that hangs fails, and the others have their turn; one that is done ends, whatever it has left open.
  `--test-timeout=${FILE_LIMIT_MS}`,
  "--test-force-exit",
];
const tests = spawn(process.execPath, ["--test", ...options, ...files], {
  stdio: "inherit",
  env: { ...process.env, LOGIT_LAB_BROWSER: engine },
  // A group of its own, which ends with it: a file that had to be stopped leaves its browser behind.
  detached: true,
});
/** @param {NodeJS.Signals} signal */
const endGroup = (signal) => {
  try {
    process.kill(-(/** @type {number} */ (tests.pid)), signal);
  } catch {
    // None of it is left.
  }
};
for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) process.on(signal, () => endGroup(signal));
tests.on("exit", (code) => {
  endGroup("SIGKILL");
  process.exit(code ?? 1);
});
