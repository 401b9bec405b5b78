import assert from "node:assert/strict";
import { test } from "node:test";
import {
  defaultControls,
  parseControl,
  stopStrings,
  toLimits,
  toSettings,
  topKStops,
} from "../../www/src/controls.js";
import { percent, spokenDistribution, spokenTopFive } from "../../www/src/format.js";
import { fromFragment, toFragment } from "../../www/src/url-state.js";
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

test("greedy_and_penalties_are_sent_when_on", () => {
  const controls = {
    ...defaultControls,
    greedy: true,
    repetitionPenalty: 1.2,
    noRepeatNgram: 3,
    minNewTokens: 5,
  };
  assert.deepEqual(toSettings(controls), {
    chain: [],
    greedy: true,
    repetitionPenalty: 1.2,
    noRepeatNgram: 3,
    minNewTokens: 5,
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

test("a_link_brings_prompt_and_settings_back", () => {
  const controls = {
    ...defaultControls,
    temperature: 0.7,
    topK: 40,
    greedy: true,
    stop: "\\n\nEnd & more",
    seed: 7,
  };
  const parsed = fromFragment(toFragment({ prompt: "Once + upon #1\n", controls }));
  assert.equal(parsed.prompt, "Once + upon #1\n");
  assert.deepEqual({ ...defaultControls, ...parsed.values }, controls);
  assert.deepEqual(parsed.ignored, []);
});

test("a_link_with_unknown_or_bad_parts_names_them", () => {
  const parsed = fromFragment("#prompt=Hi&temperature=hot&constructor=1&greedy=yes&topK=40");
  assert.deepEqual(parsed.values, { topK: 40 });
  assert.deepEqual(parsed.ignored, ["temperature=hot", "constructor=1", "greedy=yes"]);
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
