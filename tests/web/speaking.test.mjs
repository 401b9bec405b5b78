/** What the page says of its own accord, and that no sentence is lost when several come within one picture. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { announce } from "../../www/src/announce.js";
import { heard } from "../../www/src/speaking.js";
import { initialState } from "../../www/src/state.js";
import { announcerView } from "../../www/src/views/announcer.js";

/** @type {import("../../www/src/page-types.js").Load} */
const load = {
  workerId: 1,
  entryId: null,
  title: "Tales-2M",
  source: { kind: "files", files: [] },
  options: {},
  activate: "always",
  phase: "starting",
  loadedBytes: 0,
  totalBytes: null,
  bytesPerSecond: null,
  retryInMs: null,
  model: null,
};

test("a_load_is_said_when_it_starts_and_not_while_it_goes_on", () => {
  const begun = { ...initialState, loads: [load] };
  assert.deepEqual(heard(begun, initialState), ["Loading Tales-2M."]);
  assert.deepEqual(heard({ ...begun, loads: [{ ...load, loadedBytes: 1000 }] }, begun), []);
});

test("a_panel_that_did_not_come_is_said_once", () => {
  const failed = { ...initialState, panelCode: { batch: /** @type {const} */ ("failed") } };
  assert.match(heard(failed, initialState).join(), /^Batch could not be loaded/);
  assert.deepEqual(heard({ ...failed, prompt: "Once" }, failed), []);
});

test("sentences_of_one_picture_are_said_together_and_a_repeated_one_anew", () => {
  const trimmed = (/** @type {string} */ text) => text.replace("\u00a0", "");
  const both = announce(announce(initialState, "Text cleared."), "Generating.");
  assert.equal(trimmed(announcerView(both)), "Text cleared. Generating.");
  const again = announce(both, "Generating.");
  const said = announcerView(again);
  assert.equal(trimmed(said), "Generating.");
  assert.notEqual(said, announcerView(announce(again, "Generating.")));
});
