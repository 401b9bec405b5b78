import assert from "node:assert/strict";
import { test } from "node:test";
import { chainKinds, defaultControls } from "../../www/src/controls.js";
import { isInForce, orders, presetInForce, presets } from "../../www/src/presets.js";
import { hasTransformersOrder, settingsLine, transformersCall } from "../../www/src/settings-words.js";
import { update } from "../../www/src/state.js";
import { prepared, replay } from "./recorded.mjs";

/** @import { Controls } from "../../www/src/page-types.js" */

/** @param {Partial<Controls>} change @returns {Controls} */
const set = (change) => ({ ...defaultControls, ...change });

test("the_line_names_what_acts_in_its_order_and_penalties_first", () => {
  const controls = set({
    order: ["topP", "topK", "temperature", "minP"],
    temperature: 0.7,
    topK: 40,
    topP: 0.9,
    bypassed: ["topK"],
    repetitionPenalty: 1.2,
    noRepeatNgram: 3,
    suppress: [262, 11],
    minNewTokens: 5,
    stop: "\\n\nEnd",
    maxNewTokens: 1,
  });
  assert.equal(
    settingsLine(controls),
    "repetition penalty 1.2 (prompt tokens count), then no 3-gram twice, then banned ids 262, 11, " +
      "then no end token among the first 5, then top-p 0.9, then temperature 0.7; seed 42; at most 1 new token; " +
      'stop at "\\n" or "End"',
  );
  assert.equal(settingsLine(defaultControls), "plain sampling, no filter; seed 42; at most 64 new tokens");
});

test("under_greedy_the_line_has_neither_chain_nor_seed", () => {
  const line = settingsLine(set({ greedy: true, topK: 5, repetitionPenalty: 2 }));
  assert.equal(
    line,
    "repetition penalty 2 (prompt tokens count), then greedy: the highest score; at most 64 new tokens",
  );
});

test("the_call_for_transformers_turns_its_default_top_k_off", () => {
  const { code } = transformersCall(set({ topP: 0.9, temperature: 2 }));
  assert.equal(
    code,
    "model.generate(\n    **inputs,\n    do_sample=True,\n    temperature=2.0,\n    top_k=0,\n    top_p=0.9,\n    max_new_tokens=64,\n)",
  );
});

test("the_call_for_transformers_has_every_setting_under_its_name_there", () => {
  const { code, notes } = transformersCall(
    set({
      topK: 5,
      minP: 0.1,
      repetitionPenalty: 2,
      noRepeatNgram: 3,
      suppress: [4, 2],
      minNewTokens: 6,
      stop: "\\n",
      ignoreEos: true,
    }),
  );
  for (const argument of [
    "top_k=5",
    "min_p=0.1",
    "repetition_penalty=2.0",
    "no_repeat_ngram_size=3",
    "suppress_tokens=[4, 2]",
    "min_new_tokens=6",
    'stop_strings=["\\n"]',
    "tokenizer=tokenizer",
  ]) {
    assert.ok(code?.includes(`    ${argument},\n`), argument);
  }
  assert.ok(!code?.includes("temperature"));
  assert.equal(notes.length, 3);
});

test("greedy_is_no_sampling_there_and_takes_no_filters", () => {
  const { code } = transformersCall(set({ greedy: true, topK: 5, order: ["topP", "temperature", "topK", "minP"] }));
  assert.equal(code, "model.generate(\n    **inputs,\n    do_sample=False,\n    max_new_tokens=64,\n)");
});

test("an_order_that_transformers_cannot_have_gives_no_call_and_says_so", () => {
  const controls = set({ order: ["topP", "temperature", "topK", "minP"], topP: 0.75, temperature: 0.5 });
  const { code, notes } = transformersCall(controls);
  assert.equal(code, null);
  assert.match(notes[0], /always applies temperature, top-k, top-p, min-p\.$/);
  assert.notEqual(transformersCall({ ...controls, temperature: 1 }).code, null, "one filter alone has no order");
});

test("steps_that_commute_may_stand_in_either_order", () => {
  assert.ok(hasTransformersOrder(chainKinds));
  assert.ok(hasTransformersOrder(["topK", "temperature", "topP"]));
  assert.ok(hasTransformersOrder(["minP", "topK"]));
  assert.ok(!hasTransformersOrder(["topP", "temperature"]));
  assert.ok(!hasTransformersOrder(["minP", "temperature"]));
  assert.ok(!hasTransformersOrder(["topP", "topK"]));
  assert.ok(!hasTransformersOrder(["topK", "minP", "topP"]));
});

test("a_preset_is_in_force_until_something_of_it_changes", () => {
  for (const preset of presets) {
    const controls = set({ ...preset.values, seed: 5, rows: 20 });
    assert.equal(presetInForce(controls), preset, preset.id);
    assert.equal(presetInForce({ ...controls, temperature: 1.7 }), null, preset.id);
    assert.equal(presetInForce({ ...controls, suppress: [1] }), null, preset.id);
  }
  assert.equal(presetInForce(defaultControls), null);
});

test("orders_are_presets_of_the_order_alone", () => {
  const llama = orders.find(({ id }) => id === "llama");
  assert.deepEqual(llama?.values, { order: ["topK", "topP", "minP", "temperature"] });
  assert.ok(orders.some((order) => isInForce(order, defaultControls)));
});

test("going_back_leads_over_presets_to_the_students_own_settings", () => {
  const [first, second] = presets;
  const own = update(prepared, { type: "controlsSet", values: { temperature: 1.3 } });
  const chosen = replay(own, { type: "presetChosen", values: first.values }, { type: "presetChosen", values: second.values });
  assert.equal(presetInForce(chosen.controls), second);
  const back = update(chosen, { type: "presetUndone" });
  assert.deepEqual(back.controls, own.controls);
  assert.equal(back.presetUndo, null);
  const changed = replay(chosen, { type: "controlsSet", values: { topK: 3 } }, { type: "presetChosen", values: first.values });
  assert.equal(changed.presetUndo?.before.topK, 3, "a change of one's own is what one goes back to");
});

test("the_listing's_rule_is_named_where_it_can_matter", () => {
  assert.match(settingsLine(set({ boundary: "listing", topP: 0.8 })), /^top-p 0.8; seed 42; border as in the listing; /);
  assert.doesNotMatch(settingsLine(set({ boundary: "listing" })), /border/);
  assert.match(settingsLine(set({ boundary: "listing", temperature: 0 })), /^temperature 0 \(read as 0.00001\); /);
  const { code, notes } = transformersCall(set({ boundary: "listing", topP: 0.8, temperature: 0 }));
  assert.match(code ?? "", /temperature=1e-5,/);
  assert.ok(notes.some((note) => note.includes("one token fewer")));
});
