/**
 * What a long lesson does to one tab: loads, generates, clears and switches models, and tells the memory every five rounds.
 *
 *   LOGIT_LAB_DIST=dist LOGIT_LAB_STAND_IN=FILE node bench/browser/soak.mjs [--rounds 50] [--out FILE.json]
 *
 * See bench/README.md for what the figures mean.
 */
import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { noStandIn, openLab, openLabWithHub, openPage } from "../../tests/browser/harness.mjs";
import { soak, SOAK_FLAGS, WATCH_WORKERS } from "./soak-rounds.mjs";
import { markdownTable } from "./table.mjs";

const { values: options } = parseArgs({
  options: { rounds: { type: "string", default: "50" }, out: { type: "string" } },
});
const times = Math.ceil(Number(options.rounds) / 5);
const set = { isolated: true, flags: SOAK_FLAGS };
const lab = noStandIn ? await openLab(set) : await openLabWithHub(set);
const other = noStandIn ? "tales-2m" : "pythia-14m";
const models = [other, "tales-2m", other, "tales-2m", other];
const megabytes = (/** @type {number | null} */ bytes) => (bytes === null ? "-" : (bytes / 1e6).toFixed(2));
try {
  lab.server.runFirst(WATCH_WORKERS);
  await openPage(lab.browser, lab.server.url);
  const onFigures = () => process.stderr.write(".");
  const figures = await soak(lab.browser, { times, models, onFigures });
  const head = ["rounds", "wasm, MB", "page's heap, MB", "page and workers, MB", "workers", "kept objects", "nodes"];
  const rows = figures.map(({ wasmBytes, heapBytes, agentBytes, workers, keptWorkers, keptMessages, nodes }, n) => [
    String((n + 1) * models.length),
    megabytes(wasmBytes),
    megabytes(heapBytes),
    megabytes(agentBytes),
    String(workers),
    `${keptWorkers} + ${keptMessages}`,
    String(nodes),
  ]);
  process.stdout.write(`\n${markdownTable(head, rows)}\n`);
  if (options.out) await writeFile(options.out, JSON.stringify({ models, figures }, null, 1));
} finally {
  await lab.close();
}
