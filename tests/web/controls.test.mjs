import assert from "node:assert/strict";
import { test } from "node:test";
import {
  chainKinds,
  defaultControls,
  isOn,
  listedKinds,
  movedTo,
  parseControl,
  stopStrings,
  switched,
  toLimits,
  toSettings,
  topKStops,
  withBoundary,
  withValue,
} from "../../www/src/controls.js";
import { percent, readNumber } from "../../www/src/format.js";
import { spokenDistribution, spokenTopFive } from "../../www/src/spoken-bars.js";
import { distribution } from "./recorded.mjs";

test("a_fresh_page_sends_an_empty_chain", () => {
  assert.deepEqual(toSettings(defaultControls), { chain: [] });
});

test("the_chain_is_in_default_order_and_holds_only_what_is_on", () => {
  const controls = { ...defaultControls, minP: 0.1, topP: 0.9, topK: 40, temperature: 0.7 };
  assert.deepEqual(
    toSettings(controls).chain?.map(({ kind }) => kind),
    ["temperature", "topK", "topP", "minP"],
  );
  assert.deepEqual(toSettings({ ...defaultControls, topP: 0.9 }).chain, [{ kind: "topP", value: 0.9 }]);
});

test("the_chain_is_sent_in_the_order_that_was_set", () => {
  const order = /** @type {const} */ (["topP", "minP", "topK", "temperature"]);
  const controls = { ...defaultControls, order: [...order], topP: 0.9, temperature: 0.5 };
  assert.deepEqual(toSettings(controls).chain, [
    { kind: "topP", value: 0.9 },
    { kind: "temperature", value: 0.5 },
  ]);
});

test("a_step_that_is_switched_off_keeps_its_value_and_is_not_sent", () => {
  const controls = { ...defaultControls, topK: 7 };
  const off = { ...controls, ...switched(controls, "topK") };
  assert.deepEqual(toSettings(off).chain, []);
  assert.equal(off.topK, 7);
  const on = { ...off, ...switched(off, "topK") };
  assert.deepEqual(toSettings(on).chain, [{ kind: "topK", value: 7 }]);
});

test("a_filter_that_never_had_a_value_starts_with_a_usual_one", () => {
  const on = { ...defaultControls, ...switched(defaultControls, "topP") };
  assert.ok(isOn(on, "topP") && on.topP < 1);
});

test("setting_the_value_of_a_step_switches_it_on", () => {
  const off = { ...defaultControls, topK: 7, bypassed: /** @type {const} */ (["topK", "topP"]).slice() };
  assert.deepEqual(withValue(off, "topK", 9), { topK: 9, bypassed: ["topP"] });
  assert.deepEqual(withValue(off, "seed", 9), { seed: 9 });
});

test("a_move_swaps_listed_steps_and_leaves_the_others_where_they_are", () => {
  assert.deepEqual(movedTo(chainKinds, chainKinds, "topP", 0), ["topP", "temperature", "topK", "minP"]);
  const order = /** @type {const} */ (["temperature", "minP", "topK", "topP"]).slice();
  const listed = listedKinds({ ...defaultControls, order }, false);
  assert.deepEqual(listed, ["temperature", "topK", "topP"]);
  assert.deepEqual(movedTo(order, listed, "topK", 0), ["topK", "minP", "temperature", "topP"]);
});

test("min_p_is_listed_where_it_acts_or_the_rare_controls_are_shown", () => {
  assert.ok(!listedKinds(defaultControls, false).includes("minP"));
  assert.ok(listedKinds(defaultControls, true).includes("minP"));
  assert.ok(listedKinds({ ...defaultControls, minP: 0.1 }, false).includes("minP"));
});

test("greedy_and_penalties_are_sent_when_on", () => {
  const controls = {
    ...defaultControls,
    greedy: true,
    repetitionPenalty: 1.2,
    noRepeatNgram: 3,
    minNewTokens: 5,
    suppress: [11, 2],
  };
  assert.deepEqual(toSettings(controls), {
    chain: [],
    greedy: true,
    repetitionPenalty: 1.2,
    noRepeatNgram: 3,
    minNewTokens: 5,
    suppress: [11, 2],
  });
});

test("values_outside_a_range_are_faults", () => {
  for (const [name, text] of /** @type {const} */ ([
    ["temperature", "0"],
    ["temperature", "-1"],
    ["temperature", "101"],
    ["temperature", "warm"],
    ["topK", "2.5"],
    ["topP", "0"],
    ["topP", "1.1"],
    ["minP", "-0.1"],
    ["seed", "4294967296"],
    ["seed", ""],
    ["rows", "9"],
    ["maxNewTokens", "0"],
  ])) {
    assert.ok("fault" in parseControl(name, text), `${name} = "${text}"`);
  }
  assert.deepEqual(parseControl("seed", "4294967295"), { value: 4294967295 });
  assert.deepEqual(parseControl("temperature", "100"), { value: 100 });
  assert.deepEqual(parseControl("topP", ""), { value: 1 }, "an emptied field is off");
});

test("stop_strings_are_lines_with_escapes", () => {
  assert.deepEqual(stopStrings("\\n\\n\n\nEnd.\n\\\\n"), ["\n\n", "End.", "\\n"]);
  assert.deepEqual(toLimits({ ...defaultControls, stop: "X" }, 1), {
    maxNewTokens: 1,
    stop: ["X"],
    ignoreEos: false,
  });
});

test("top_k_stops_rise_and_end_in_off", () => {
  for (const vocabulary of [5, 4096, 50_304]) {
    const stops = topKStops(vocabulary);
    assert.equal(stops.at(-1), 0);
    const values = stops.slice(0, -1);
    assert.deepEqual(
      values,
      [...new Set(values)].sort((a, b) => a - b),
    );
    assert.ok(values.every((value) => value < vocabulary));
  }
});

test("chances_are_percent_with_one_decimal", () => {
  assert.deepEqual([0, 0.0004, 0.173, 0.9999, 1].map(percent), [
    "0 %",
    "<0.1 %",
    "17.3 %",
    ">99.9 %",
    "100.0 %",
  ]);
});

test("bars_can_be_spoken", () => {
  assert.equal(spokenDistribution(distribution()), "2 kept, top: space, the, 63 percent");
  assert.match(
    spokenTopFive(distribution({ pickedId: 7 })),
    /^1: space, the, model 50 percent, .* 63 percent, picked\./,
  );
});

test("temperature_0_is_taken_under_the_listing's_rule_only", () => {
  assert.deepEqual(parseControl("temperature", "0", "listing"), { value: 0 });
  assert.ok("fault" in parseControl("temperature", "0"));
  assert.ok("fault" in parseControl("topP", "0", "listing"));
  assert.deepEqual(withBoundary({ ...defaultControls, temperature: 0 }, "smallest"), { boundary: "smallest", temperature: 1 });
  assert.deepEqual(withBoundary({ ...defaultControls, temperature: 0.5 }, "smallest"), { boundary: "smallest" });
});

test("the_rule_for_the_border_is_sent_where_it_is_not_the_usual_one", () => {
  assert.equal(toSettings({ ...defaultControls, boundary: "listing" }).boundary, "listing");
  assert.equal(toSettings(defaultControls).boundary, undefined);
});

test("a_number_is_read_with_a_comma_or_a_point_and_with_marks_between_thousands", () => {
  for (const typed of ["0.8", "0,8", " 0,8 ", ".8", ",8"]) assert.equal(readNumber(typed), 0.8, typed);
  for (const typed of ["1,234.5", "1.234,5", "1 234,5", "1’234.5", "1\u202f234,5"]) assert.equal(readNumber(typed), 1234.5, typed);
  for (const typed of ["4,294,967,295", "4.294.967.295", "4 294 967 295", "4294967295"])
    assert.equal(readNumber(typed, true), 4294967295, typed);
  // What is whole has no decimals: there a mark before three digits stands between thousands.
  assert.equal(readNumber("1,000", true), 1000);
  assert.equal(readNumber("1.000", true), 1000);
  assert.equal(readNumber("1,000"), 1);
  assert.equal(readNumber("−2,5"), -2.5);
  for (const typed of ["", " ", "x", "1,2,3", "1 2", "1.2.3,4", "12,34,567", "0,8 s"]) assert.ok(Number.isNaN(readNumber(typed)), typed);
});

test("a_seed_may_have_marks_between_thousands_and_a_temperature_a_comma", () => {
  assert.deepEqual(parseControl("seed", "1,234"), { value: 1234 });
  assert.deepEqual(parseControl("temperature", "0,8"), { value: 0.8 });
  assert.ok("fault" in parseControl("seed", "1,23"));
});
