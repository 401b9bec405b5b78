/** What the page may fetch before its first token. Times are measured by bench/browser/budget.mjs, never tested. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { isModelFile, openToFirstToken, WIRE_BUDGET_BYTES, wireFiles } from "../../bench/browser/first-token.mjs";
import { benchPanel, labPanels } from "../../www/src/panels.js";
import { app, dist, openLab } from "./harness.mjs";

describe("the way to the first token", () => {
  /** @type {Awaited<ReturnType<typeof openLab>>} */
  let lab;
  /** @type {string[]} */
  let paths;
  before(async () => {
    lab = await openLab();
    await openToFirstToken(lab.browser, `${lab.server.url}?model=tales-2m`);
    paths = [...new Set(lab.server.requests.map(({ path }) => path))];
  });
  after(() => lab?.close());

  const inApp = (/** @type {string} */ name) => `/${app && `${app}/`}${name}`;

  test("the_page_without_its_model_is_at_most_one_and_a_half_megabytes_gzipped", async () => {
    const files = await wireFiles(lab.server.requests, dist);
    const total = files.reduce((sum, { gzipBytes }) => sum + gzipBytes, 0);
    const largest = files.toSorted((a, b) => b.gzipBytes - a.gzipBytes).slice(0, 3);
    assert.ok(total <= WIRE_BUDGET_BYTES, `${total} bytes, most of them ${JSON.stringify(largest)}`);
    assert.ok(files.some(({ path }) => path.endsWith(".wasm")) && files.length > 20, "the whole page was counted");
  });

  test("only_the_chosen_model_and_one_engine_are_fetched", () => {
    const models = paths.filter(isModelFile);
    assert.ok(models.length >= 3 && models.every((path) => path.startsWith("/models/tales-2m/")), models.join());
    assert.deepEqual(paths.filter((path) => path.endsWith(".wasm")), [inApp("logit-lab-web_bg.wasm")]);
  });

  test("no_code_of_charts_or_closed_panels_is_fetched", () => {
    const vendor = paths.filter((path) => path.includes("/vendor/")).toSorted();
    assert.deepEqual(vendor, [inApp("vendor/lit-html.js"), inApp("vendor/wasm-feature-detect.js")]);
    assert.deepEqual(paths.filter((path) => /plot|chart/i.test(path)), []);
    const panels = [...labPanels, benchPanel].map(({ load }) => /import\("\.\/(.+)"\)/.exec(String(load))?.[1] ?? "none");
    for (const panel of panels) {
      assert.ok(existsSync(join(dist, app, "src", panel)), `${panel} is a panel's code`);
      assert.ok(!paths.some((path) => path.endsWith(panel)), `${panel} is fetched before it is opened`);
    }
  });
});
