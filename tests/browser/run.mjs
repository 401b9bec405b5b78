/**
 * Runs the browser tests in one engine, and says which files it leaves out there, and why.
 *
 *   node tests/browser/run.mjs [chromium | firefox | webkit] [FILE...]
 *
 * The rule: every file runs in Chromium; in the others, every file that is not in CHROMIUM_ALONE below. With
 * LOGIT_LAB_ALL_BROWSERS=1, or where files are named, nothing is left out but what an engine lacks.
 */
import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const SAME_CODE = "shows what the engine answers by means that other panels have, which run in every browser";
const NOT_THE_BROWSER = "is about the server and the bytes that it sends, not about the browser";

/** What runs in Chromium alone, each with the reason. @type {Record<string, string>} */
const CHROMIUM_ALONE = {
  budget: NOT_THE_BROWSER,
};

const folder = path.dirname(fileURLToPath(import.meta.url));
const [engine = process.env.LOGIT_LAB_BROWSER ?? "chromium", ...named] = process.argv.slice(2);
const all = readdirSync(folder).filter((name) => name.endsWith(".test.mjs"));
const everything = engine === "chromium" || named.length > 0 || process.env.LOGIT_LAB_ALL_BROWSERS === "1";
const reasonOf = (/** @type {string} */ file) => CHROMIUM_ALONE[file.replace(".test.mjs", "")];
for (const name of Object.keys(CHROMIUM_ALONE)) {
  if (!all.includes(`${name}.test.mjs`)) throw new Error(`CHROMIUM_ALONE names ${name}, which is no test file`);
}
const leftOut = everything ? [] : all.filter(reasonOf);
for (const file of leftOut) process.stdout.write(`skipped: ${file} in ${engine}: it ${reasonOf(file)}\n`);
const files = named.length > 0 ? named : all.filter((file) => !leftOut.includes(file)).map((file) => path.join(folder, file));

const tests = spawn(process.execPath, ["--test", "--test-concurrency=1", ...files], {
  stdio: "inherit",
  env: { ...process.env, LOGIT_LAB_BROWSER: engine },
});
tests.on("exit", (code) => process.exit(code ?? 1));
