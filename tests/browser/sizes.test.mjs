/**
 * What the built files weigh over the wire (gzip), each against its own budget, so that what grows is seen where it grows: a
 * tenth or so above what they are. Needs no browser; budget.test.mjs has what a visit really fetches.
 */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { before, describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import { reachedFrom, readModules } from "../web/import-graph.mjs";
import { app, dist } from "./harness.mjs";

const BUDGET_BYTES = {
  engine: 1_350_000,
  /** Not made smaller by Binaryen, fetched on demand. */
  relaxedEngine: 1_500_000,
  /** Of the page and its worker, before anything is opened. */
  code: 150_000,
  styles: 17_000,
  panel: 44_000,
  /** All sheets' contents. */
  sheets: 78_000,
  charts: 100_000,
};

const place = path.join(dist, app);

/** @param {Iterable<string>} names files of the build */
async function gzipBytes(names) {
  const files = await Promise.all([...names].map((name) => readFile(path.join(place, name))));
  return files.reduce((sum, file) => sum + gzipSync(file).length, 0);
}

/** @param {number} bytes @param {number} budget @param {string} what */
function assertWithin(bytes, budget, what) {
  assert.ok(bytes > 0 && bytes <= budget, `${what}: ${bytes} bytes of ${budget}`);
}

describe("the sizes of the build", () => {
  /** @type {Map<string, string[]>} */
  let graph;
  /** @type {string[]} */
  let panels;
  /** @type {Set<string>} */
  let eager;
  before(async () => {
    const { texts, graph: atOnce } = await readModules(place, { atOnceOnly: true });
    graph = atOnce;
    eager = reachedFrom(graph, ["src/main.js", "src/page.js", "src/worker.js"]);
    panels = [...(texts.get("src/panels.js") ?? "").matchAll(/import\("\.\/(views\/[^"]+)"\)/g)].map(([, view]) => `src/${view}`);
  });

  test("each_engine_is_within_its_budget", async () => {
    assertWithin(await gzipBytes(["logit-lab-web_bg.wasm"]), BUDGET_BYTES.engine, "the exact engine");
    assertWithin(await gzipBytes(["relaxed/logit-lab-web_bg.wasm"]), BUDGET_BYTES.relaxedEngine, "the relaxed engine");
  });

  test("the_code_and_the_styles_of_every_visit_are_within_their_budgets", async () => {
    assert.ok(eager.size > 80 && eager.has("vendor/lit-html.js"), `${eager.size} modules`);
    assertWithin(await gzipBytes(eager), BUDGET_BYTES.code, "code");
    const page = await readFile(path.join(dist, "index.html"), "utf8");
    const styles = [...page.matchAll(/href="[^"]*?(styles\/[^"]+\.css)"/g)].map(([, name]) => name);
    assertWithin(await gzipBytes(styles), BUDGET_BYTES.styles, "styles");
  });

  test("each_panel_brings_no_more_than_its_budget", async () => {
    assert.ok(panels.length > 10, panels.join());
    for (const panel of panels) {
      const own = [...reachedFrom(graph, [panel])].filter((name) => !eager.has(name));
      const budget = panel.endsWith("/sheets.js") ? BUDGET_BYTES.sheets : BUDGET_BYTES.panel;
      assertWithin(await gzipBytes(own), budget, panel);
    }
  });

  test("the_library_for_charts_is_within_its_budget_and_in_no_panel_at_once", async () => {
    assertWithin(await gzipBytes(["vendor/plot.js"]), BUDGET_BYTES.charts, "charts");
    for (const panel of panels) assert.ok(!reachedFrom(graph, [panel]).has("vendor/plot.js"), panel);
  });
});
