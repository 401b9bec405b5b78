/** The lab panels: which are open, and when their code is asked for. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createLabs } from "../../www/src/labs.js";
import { isShown } from "../../www/src/panel-state.js";
import { initialState, update } from "../../www/src/state.js";
import { createStore } from "../../www/src/store.js";

const toggled = { type: /** @type {const} */ ("panelToggled"), name: "one" };
const linked = { type: /** @type {const} */ ("linkOpened"), prompt: null, values: {}, options: {}, ignored: [] };

/** A page with two panels, whose loads wait to be settled. */
function page() {
  const { getState, dispatch, eachChange } = createStore(initialState, update, () => {});
  /** @type {{ name: string, resolve: (module: any) => void, reject: (reason: Error) => void }[]} */
  const loads = [];
  const panels = ["one", "two"].map((name) => ({
    name,
    label: name,
    load: () => new Promise((resolve, reject) => loads.push({ name, resolve, reject })),
  }));
  const parts = /** @type {any} */ ({ getState, dispatch, eachChange, client: {}, actions: {} });
  createLabs(parts, panels, async () => {});
  return { getState, dispatch, loads };
}
const settled = () => new Promise((resolve) => setImmediate(resolve));

test("a_panel_opens_and_closes_and_the_others_stay", () => {
  const both = [toggled, { ...toggled, name: "two" }].reduce(update, initialState);
  assert.deepEqual(both.openPanels, ["one", "two"]);
  assert.deepEqual(update(both, toggled).openPanels, ["two"]);
});

test("a_link_shows_its_panel_alone_until_all_are_asked_for", () => {
  const opened = [toggled, { ...linked, panel: "two" }].reduce(update, initialState);
  assert.deepEqual([isShown(opened, "one"), isShown(opened, "two")], [false, true]);
  const all = update(opened, { type: "allPanelsShown" });
  assert.deepEqual([isShown(all, "one"), isShown(all, "two")], [true, true]);
});

test("the_code_of_a_panel_is_asked_for_once_when_it_is_first_opened", async () => {
  const { dispatch, getState, loads } = page();
  assert.equal(loads.length, 0);
  for (let times = 0; times < 3; times++) dispatch(toggled);
  assert.deepEqual(loads.map(({ name }) => name), ["one"]);
  assert.equal(getState().panelCode.one, "loading");
  loads[0].resolve({ createPanel: () => () => null });
  await settled();
  assert.equal(getState().panelCode.one, "ready");
});

test("code_that_did_not_come_is_asked_for_again_when_the_panel_is_opened_again", async () => {
  const { dispatch, getState, loads } = page();
  dispatch(toggled);
  loads[0].reject(new Error("no network"));
  await settled();
  assert.equal(getState().panelCode.one, "failed");
  dispatch(toggled);
  assert.equal(loads.length, 1);
  dispatch(toggled);
  assert.equal(loads.length, 2);
});
