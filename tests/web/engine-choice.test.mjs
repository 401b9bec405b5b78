import assert from "node:assert/strict";
import { test } from "node:test";
import { engineChoices, offeredChoices } from "../../www/src/engine-choices.js";
import { createModelChoice } from "../../www/src/model-choice.js";
import { update } from "../../www/src/state.js";
import { from, model, prepared } from "./recorded.mjs";

/** @import { LoadOptions, ModelSource } from "../../www/src/messages.js" */
/** @import { PageEvent } from "../../www/src/page-types.js" */

/** A page that uses "Tales", with a client that only notes what it is asked. */
function page(state = prepared) {
  /** @type {{ source: ModelSource, options: LoadOptions | undefined }[]} */
  const started = [];
  /** @type {number[]} */
  const terminated = [];
  const dispatch = (/** @type {PageEvent} */ event) => void (state = update(state, event));
  const client = /** @type {any} */ ({
    start: (/** @type {ModelSource} */ source, /** @type {LoadOptions} */ options) => 1 + started.push({ source, options }),
    terminate: (/** @type {number} */ workerId) => terminated.push(workerId),
  });
  const choice = createModelChoice({ getState: () => state, dispatch, client, pageUrl: new URL("https://page.example/") });
  return { choice, started, terminated, dispatch, getState: () => state };
}

test("relaxed_is_offered_only_where_the_browser_has_it", () => {
  const names = (/** @type {boolean} */ relaxedSimd) => offeredChoices({ relaxedSimd }).map(({ name }) => name);
  assert.ok(!names(false).includes("simd"));
  assert.ok(names(true).includes("simd"));
  assert.ok(engineChoices.every(({ values }) => new Set(values.map(({ value }) => value)).size === values.length));
});

test("choosing_an_engine_loads_the_model_again_and_the_present_one_stays_until_it_is_ready", () => {
  const { choice, started, dispatch, getState } = page();
  choice.chooseEngine({ simd: "relaxed" });
  assert.deepEqual(started, [{ source: prepared.source, options: { simd: "relaxed" } }]);
  assert.equal(getState().activeWorkerId, 1);
  dispatch(from(2, { type: "loaded", loadId: 2, model: model("Tales") }));
  assert.equal(getState().activeWorkerId, 2);
  assert.deepEqual(getState().options, { simd: "relaxed" });
  choice.chooseEngine({ precision: "f16" });
  assert.deepEqual(started[1].options, { simd: "relaxed", precision: "f16" }, "one choice keeps the other");
});

test("a_second_choice_takes_the_place_of_one_that_is_still_loading", () => {
  const { choice, started, terminated, getState } = page();
  choice.chooseEngine({ precision: "f16" });
  choice.chooseEngine({ simd: "relaxed" });
  assert.deepEqual(terminated, [2]);
  assert.deepEqual(getState().loads.map(({ workerId }) => workerId), [3]);
  assert.deepEqual(started[1].options, { precision: "f16", simd: "relaxed" });
});

test("an_engine_that_cannot_be_started_changes_nothing_and_says_why", () => {
  const { choice, dispatch, getState } = page();
  choice.chooseEngine({ simd: "relaxed" });
  const error = { code: /** @type {const} */ ("noRelaxedSimd"), message: "Not here.", details: {} };
  dispatch(from(2, { type: "crashed", error }));
  assert.equal(getState().activeWorkerId, 1);
  assert.deepEqual(getState().options, {});
  assert.equal(getState().problems[0].error.code, "noRelaxedSimd");
});

test("a_kept_copy_is_loaded_again_without_the_hub", () => {
  const source = /** @type {ModelSource} */ ({ kind: "catalogue", entry: { title: "Tales" }, from: "hub", base: "" });
  const kept = { .../** @type {any} */ (prepared.model), kept: true };
  const { choice, started } = page({ ...prepared, source, model: kept });
  choice.chooseEngine({ simd: "relaxed" });
  assert.equal(started[0].source.kind === "catalogue" && started[0].source.from, "store");
});
