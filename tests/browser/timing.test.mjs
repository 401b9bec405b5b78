/** The timing panel and the benchmark: times of the page's runs, pauses left out, and a fixed workload in turns. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { lacks } from "./engines/engine.mjs";
import { openLab, openPage, pageOf } from "./harness.mjs";

describe("timing", () => {
  /** @type {Awaited<ReturnType<typeof openLab>>} */
  let lab;
  before(async () => {
    lab = await openLab();
  });
  after(() => lab?.close());

  const { read, words, choose } = pageOf(() => lab);
  /** @param {string} fragment */
  async function open(fragment) {
    await lab.browser.open("about:blank");
    await openPage(lab.browser, `${lab.server.url}?model=tales-2m${fragment}`);
    await lab.browser.waitFor("the bars", () => read("!!document.querySelector('#bars tr[data-id]')"));
  }
  /** What the page has of its last run. */
  const timing = () => read("logitLab.report().then(({ timing }) => timing)");
  /** @param {string} stage */
  const stage = (stage) =>
    read(`document.querySelector('#timing-stages [data-stage="${stage}"] td')?.innerText.trim() ?? ""`);
  /** @param {string} figure */
  const figure = (figure) => read(`document.querySelector('#timing-figures [data-figure="${figure}"] b')?.innerText ?? ""`);
  /** As the panel writes them. @param {number} ms */
  const written = (ms) =>
    ms < 10 ? `${ms.toFixed(2)} ms` : ms < 100 ? `${ms.toFixed(1)} ms` : `${Math.round(ms).toLocaleString("en-GB")} ms`;

  test("the_panel_tells_the_run_that_it_saw_with_every_stage_and_the_paints", async () => {
    await open("#panel=timing&prompt=The+old+man+looked+at+the&seed=5&maxNewTokens=40&ignoreEos=1");
    await lab.browser.waitFor("the panel", () => words("timing-none"));
    await lab.browser.click("button", "Generate");
    await lab.browser.waitFor("the run's times", () => stage("prefill"));
    const run = await timing();
    assert.deepEqual([run.runOfModel, run.paced, run.latency.outputTokens], [1, false, 40]);
    assert.equal((await stage("model")).replace(/\s*rough$/, ""), written(run.decodeMs));
    assert.equal(await stage("paint"), "not measured");
    assert.equal(await figure("first-token"), written(run.latency.firstTokenMs));
    assert.equal(await figure("request"), written(run.latency.requestMs));
    assert.match(await words("timing-run"), /40 of Tales-2M's tokens, at full speed.*cold: first run/);
    const [, paints, tokens] = /^(\d+) for (\d+) tokens$/.exec(await figure("paints")) ?? [];
    assert.equal(Number(tokens), 40);
    assert.ok(Number(paints) >= 1 && Number(paints) <= 40, paints);
    // Each group lasts ten steps of the clock, which is what the engine promises.
    const { groups, clockStepMs, groupTokens } = run.latency;
    groups.intervalMs.forEach((/** @type {number} */ ms, /** @type {number} */ n) => {
      assert.ok(ms * groups.tokens[n] >= 9.999 * clockStepMs, `group ${n} of ${groupTokens} tokens`);
    });
    await lab.browser.waitFor("the chart", () => read("!!document.querySelector('#timing-chart .chart-drawing svg')"));
    assert.equal(
      await read("document.querySelectorAll('#timing-chart tbody tr').length"),
      groups.intervalMs.length,
      "the table has what the chart draws",
    );
    await lab.browser.click("button", "Continue");
    await lab.browser.waitFor("the second run", async () => !(await words("timing-run")).includes("cold"));
    assert.equal((await timing()).runOfModel, 2);
    assert.deepEqual([await stage("prefill"), await figure("input-speed")], ["not measured", "not measured"]);
  });

  test("a_run_of_one_token_has_no_mean_interval", async () => {
    await open("#panel=timing&prompt=The+ship&maxNewTokens=1");
    await lab.browser.click("button", "Generate");
    await lab.browser.waitFor("the run's times", () => stage("prefill"));
    assert.deepEqual(
      [await figure("mean-interval"), await figure("interval-p95"), await words("timing-chart-none")],
      ["not available", "not available", "One token has no interval: there is nothing to chart."],
    );
  });

  test("pauses_of_a_paced_run_are_in_no_time", async () => {
    await open("#panel=timing&prompt=The+ship&maxNewTokens=4&ignoreEos=1");
    await lab.browser.click("radio", /3 a second/);
    const startedAt = Date.now();
    await lab.browser.click("button", "Generate");
    await lab.browser.waitFor("the run's times", () => stage("prefill"));
    const tookMs = Date.now() - startedAt;
    const { paced, latency } = await timing();
    assert.equal(paced, true);
    // Three pauses of a third of a second were there; they are in neither latency.
    assert.ok(tookMs > 900, `${tookMs} ms`);
    assert.ok(latency.requestMs - latency.firstTokenMs < tookMs - 900, `${latency.requestMs} of ${tookMs} ms`);
    assert.match(await words("timing-run"), /in steps, with pauses that count in nothing/);
  });

  /** Measures with the panel's plan and waits for the end. @param {string} name of the button */
  async function measure(name) {
    await lab.browser.click("button", name);
    await lab.browser.waitFor(
      "the benchmark",
      async () => {
        assert.equal(await words("ab-fault"), "");
        return read("!!document.getElementById('ab-benchmark') && document.getElementById('ab-stop').disabled");
      },
      60_000,
    );
    return words("ab-bench-verdict");
  }

  test("recomputing_every_position_is_slower_in_every_pair_and_every_outcome_is_shown", async () => {
    await open("#panel=ab&prompt=The+old+man+looked+at+the&seed=5");
    await lab.browser.waitFor("the panel", () => read("document.getElementById('ab-bench-run')?.disabled === false"));
    // Both builds can be compared where the browser has relaxed SIMD; else there is nothing to choose.
    const builds = await read("[...document.getElementById('ab-1-simd').options].map(({ value }) => value)");
    assert.deepEqual(builds, lacks("relaxedSimd") ? ["baseline"] : ["baseline", "relaxed"]);
    await choose("ab-0-start", "greedy");
    await choose("ab-1-start", "greedy");
    await choose("ab-1-cache", "off");
    await lab.browser.type("Output tokens", "64");
    await lab.browser.type("Pairs that count", "5");
    const verdict = await measure("Measure 5 pairs");
    assert.match(verdict, /^A is faster: B took [\d.]+ times as long as A \(median of 5 pairs.*1 of 16 such benchmarks/);
    assert.match(await words("ab-bench-cause"), /one thing, KV cache.*exactly 64 output tokens/s);
    const rows = await read(
      `[...document.querySelectorAll("#ab-bench-outcomes tbody tr")].map((row) =>
         [row.dataset.warmUp, ...[...row.cells].slice(1).map((cell) => cell.textContent.trim())])`,
    );
    assert.equal(rows.length, 12);
    assert.deepEqual(
      rows.map((/** @type {string[]} */ [warmUp, side]) => [warmUp, side]),
      Array.from({ length: 6 }, (_, n) => [[String(n === 0), "A"], [String(n === 0), "B"]]).flat(),
    );
    assert.ok(rows.every((/** @type {string[]} */ row) => row[5] === "64"), "exactly the length that was asked for");
  });

  test("no_winner_is_named_of_runs_of_unequal_length", async () => {
    await open("#panel=ab&prompt=The+old+man+looked+at+the&seed=5");
    await lab.browser.waitFor("the panel", () => read("document.getElementById('ab-bench-run')?.disabled === false"));
    // A stop string ends A's runs, and a run that is not forced obeys it.
    await lab.browser.run(`location.hash = "panel=ab&prompt=The+old+man+looked+at+the&a=greedy:1,seed:5,stop:e&b=greedy:1,seed:5";`);
    await lab.browser.waitFor("the link's pair", async () => (await words("ab-differences")).includes("stop strings"));
    await lab.browser.type("Output tokens", "24");
    await lab.browser.type("Pairs that count", "2");
    await lab.browser.click("checkbox", "Exactly so many tokens");
    assert.match(await measure("Measure 2 pairs"), /^No winner is named: the runs made different numbers of tokens \(A \d+, B 24\)/);
  });

  test("a_script_gets_outcomes_and_their_spread", async () => {
    const found = await lab.browser.run(
      `return await logitLab.benchmark({ prompt: "The ship", newTokens: 8, repeats: 2, warmUps: 1, seed: 3,
         settings: { greedy: true }, against: { kernel: "candle" } });`,
    );
    assert.deepEqual(
      [found.outcomes, found.otherOutcomes].map((side) => side.map((/** @type {any} */ run) => [run.warmUp, run.outputTokens])),
      Array(2).fill([
        [true, 8],
        [false, 8],
        [false, 8],
      ]),
    );
    const total = found.comparison.metrics.find((/** @type {any} */ { metric }) => metric === "totalMs");
    const expected = [1, 2].map((n) => found.otherOutcomes[n].totalMs / found.outcomes[n].totalMs);
    assert.deepEqual(total.ratios, expected);
    assert.equal(total.verdict, "tooFewPairs");
  });
});
