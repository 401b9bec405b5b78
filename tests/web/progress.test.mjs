import assert from "node:assert/strict";
import { test } from "node:test";
import { Progress } from "../../www/src/models/progress.js";

test("reports_come_at_most_ten_times_a_second_and_the_rate_is_that_of_the_last_second", () => {
  /** @type {any[]} */
  const reports = [];
  let nowMs = 0;
  const progress = new Progress(
    (report) => reports.push(report),
    () => nowMs,
  );
  progress.begin("hub", 5_000_000);
  progress.at("downloading", "model.safetensors");
  // Two seconds at a million bytes a second, then two at half of that, in chunks every 10 ms.
  for (; nowMs < 2000; nowMs += 10) progress.add(10_000);
  const early = reports.at(-1).bytesPerSecond;
  for (; nowMs < 4000; nowMs += 10) progress.add(5_000);
  progress.at("checking", "model.safetensors");
  assert.equal(reports[0].bytesPerSecond, null);
  assert.ok(Math.abs(early - 1_000_000) < 20_000, `${early}`);
  assert.ok(Math.abs(reports.at(-2).bytesPerSecond - 500_000) < 20_000, `${reports.at(-2).bytesPerSecond}`);
  assert.ok(reports.length <= 42, `${reports.length}`);
  const last = {
    phase: "checking",
    origin: "hub",
    file: "model.safetensors",
    loadedBytes: 3_000_000,
    totalBytes: 5_000_000,
    bytesPerSecond: null,
    retryInMs: null,
  };
  assert.deepEqual(reports.at(-1), last);
});
