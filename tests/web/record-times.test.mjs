/** What a record says of the KV cache's use and of times. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { changesBetween, expectation } from "../../www/src/records/difference.js";
import { readRecords } from "../../www/src/records/read.js";
import { recordOf } from "../../www/src/records/record.js";
import { replayCall } from "../../www/src/records/repeat.js";
import { modelWords } from "../../www/src/records/words.js";
import { written } from "../../www/src/records/written.js";
import { prepared, replay } from "./recorded.mjs";
import { generated, sampleRecord } from "./records-fixture.mjs";

const facts = { nowIso: "2026-01-02T03:04:05.000Z", userAgent: "Test", hardwareConcurrency: 2, build: "app-1" };

test("a_text_made_without_the_kv_cache_says_so_and_is_repeated_so", () => {
  const uncached = generated(replay(prepared, { type: "cacheChosen", uncached: true }), [" one", " two"]);
  // Switched on again since: the text was made without it all the same.
  const record = recordOf(replay(uncached, { type: "cacheChosen", uncached: false }), facts);
  assert.equal(record.engine?.cachePolicy, "recompute");
  assert.equal(replayCall(record).cache, false);
  const cached = recordOf(generated(prepared, [" one", " two"]), facts);
  assert.deepEqual([cached.engine?.cachePolicy, replayCall(cached).cache], ["reuse", true]);
  assert.deepEqual(changesBetween(cached, record).map(({ layer, row, after }) => [layer, row, after]), [
    ["kvCache", "cachePolicy", "computed again for each token"],
  ]);
  assert.match(modelWords(record), /KV cache not used/);
});

test("only_the_cache_switched_off_lets_expect_the_same_on_the_fused_kernel_and_not_on_candle", () => {
  const engine = { precision: "f32", kernel: "fused", simd: /** @type {const} */ ("baseline"), kvCache: "f32", cachePolicy: /** @type {const} */ ("recompute") };
  /** @param {string} kernel */
  const expected = (kernel) => {
    const before = sampleRecord({ engine: { ...engine, kernel, cachePolicy: "reuse" } });
    const after = sampleRecord({ engine: { ...engine, kernel } });
    return expectation(changesBetween(before, after), before, after).same;
  };
  assert.deepEqual([expected("fused"), expected("candle")], [true, false]);
});

test("the_times_of_a_text_are_those_of_its_run_and_none_of_a_whole_request_where_it_had_two_runs", () => {
  const one = generated(prepared, [" one", " two"]);
  const record = recordOf(one, facts);
  const { latency } = record.timing ?? {};
  assert.deepEqual(latency?.groups.intervalMs, [2.5]);
  assert.ok(Math.abs((record.timingsMs.detokenize ?? 0) - 0.2) < 1e-9);
  // Tokenizing, 0.1 ms, is not in them.
  assert.deepEqual([record.timingsMs.firstToken, record.timingsMs.total], [3.9, 6.4]);
  const { model: _model, ...rest } = record;
  const whole = readRecords(written({ ...rest, model: null }));
  assert.ok("records" in whole, JSON.stringify(whole));
  const longer = recordOf(generated(one, [" three"], "end"), facts);
  assert.deepEqual([longer.timingsMs.firstToken, longer.timingsMs.total], [null, null]);
  const wrong = readRecords(written({ ...sampleRecord(), timing: { ...record.timing, paced: 1 } }));
  assert.match("fault" in wrong ? wrong.fault : "", /record\.timing\.paced/);
});
