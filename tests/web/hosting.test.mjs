import assert from "node:assert/strict";
import { test } from "node:test";
import { measureClockStep } from "../../www/src/clock.js";
import { initialState, update } from "../../www/src/state.js";
import { replay } from "./recorded.mjs";

test("the_clock_step_is_the_smallest_that_was_seen", () => {
  const times = [0, 0, 0.2, 0.2, 0.3, 0.5, 0.5, 0.75];
  let n = 0;
  const step = measureClockStep(() => times[n++] ?? 100);
  assert.equal(Number(step.toFixed(6)), 0.1);
});

test("a_coarse_clock_is_not_watched_for_long", () => {
  let calls = 0;
  // Moves by 8 ms at every hundredth look.
  assert.equal(measureClockStep(() => Math.floor(calls++ / 100) * 8), 8);
  assert.ok(calls < 1000, `${calls} looks`);
});

test("a_new_version_is_announced_once_and_can_be_put_away", () => {
  const found = update(initialState, { type: "updateFound" });
  assert.equal(found.update, "ready");
  assert.match(found.announcement.text, /new version/);
  assert.equal(update(found, { type: "updateFound" }), found);
  const later = replay(found, { type: "updateDismissed" }, { type: "updateFound" });
  assert.equal(later.update, "later");
});
