import assert from "node:assert/strict";
import { test } from "node:test";
import { defaultControls } from "../../www/src/controls.js";
import { fromFragment, toAddress, toFragment } from "../../www/src/url-state.js";
import { pack, unpack } from "../../www/src/packed-text.js";
import { initialState, update } from "../../www/src/state.js";
import { model, prepared } from "./recorded.mjs";

/** @import { Controls, State } from "../../www/src/page-types.js" */

/** @param {Partial<State>} change @returns {State} */
const state = (change) => ({ ...initialState, ...change });

test("a_link_brings_prompt_and_settings_back", async () => {
  /** @type {Controls} */
  const controls = {
    ...defaultControls,
    temperature: 0.7,
    topK: 40,
    topP: 0.9,
    order: ["topP", "topK", "temperature", "minP"],
    bypassed: ["topK"],
    suppress: [262, 0],
    greedy: true,
    stop: "\\n\nEnd & more",
    seed: 7,
  };
  const prompt = "Once + upon #1\n";
  const parsed = await fromFragment(await toFragment(state({ prompt, controls, options: { precision: "int8" } })));
  assert.equal(parsed.prompt, prompt);
  assert.deepEqual({ ...defaultControls, ...parsed.values }, controls);
  assert.deepEqual(parsed.options, { precision: "int8" });
  assert.deepEqual(parsed.ignored, []);
});

test("a_fresh_page_has_a_link_of_prompt_and_seed_only", async () => {
  assert.equal(await toFragment(state({ prompt: "Hi" })), "#prompt=Hi&seed=42");
});

test("a_link_with_unknown_or_bad_parts_names_them", async () => {
  const parsed = await fromFragment("#prompt=Hi&temperature=hot&constructor=1&greedy=yes&topK=40");
  assert.deepEqual(parsed.values, { topK: 40 });
  assert.deepEqual(parsed.ignored, ["temperature=hot", "constructor=1", "greedy=yes"]);
  for (const part of [
    "order=topP,topP",
    "order=typical",
    "bypassed=seed",
    "suppress=-1",
    "suppress=1.5",
    "suppress=3,3",
    "suppress=",
    "precision=int3",
    "promptPacked=AAAA",
    "promptPacked=%",
    "panel=beams",
    "x=" + "y".repeat(99),
  ]) {
    const { values, options, prompt, panel, ignored } = await fromFragment(`#${part}`);
    assert.deepEqual([values, options, prompt, panel], [{}, {}, null, null], part);
    assert.equal(ignored.length, 1, part);
    assert.ok(ignored[0].length < 60, part);
  }
});

test("steps_that_an_order_leaves_out_come_last", async () => {
  const { values } = await fromFragment("#order=topP,temperature");
  assert.deepEqual(values.order, ["topP", "temperature", "topK", "minP"]);
});

test("a_long_prompt_is_packed_and_comes_back_letter_by_letter", async () => {
  const prompt = "\u{feff}Grüße, 世界! 🙂 The quick brown fox.\n".repeat(60);
  const fragment = await toFragment(state({ prompt }));
  assert.ok(fragment.length < 400, `${fragment.length} characters`);
  assert.match(fragment, /^#[A-Za-z0-9=&_.-]*$/);
  assert.equal((await fromFragment(fragment)).prompt, prompt);
});

test("a_prompt_that_packing_would_lengthen_stays_readable", async () => {
  assert.match(await toFragment(state({ prompt: "Once upon a time" })), /^#prompt=Once\+upon/);
});

test("unpacking_ends_at_its_limit", async () => {
  const packed = await pack("a".repeat(1_000_000));
  assert.ok(packed !== null && packed.length < 2000);
  assert.equal(await unpack(packed, 1000), null);
  assert.equal((await unpack(packed, 1_000_000))?.length, 1_000_000);
});

test("a_link_names_the_model_that_is_in_use", async () => {
  const page = "https://lab.example/course/?model=tales-2m&hub=x#old";
  /** @param {State["model"]} used */
  const query = async (used) => new URL(await toAddress(state({ model: used }), page)).search;
  assert.equal(await query(null), "?model=tales-2m&hub=x");
  assert.equal(await query(model("pythia-14m")), "?model=pythia-14m&hub=x");
  const folder = { ...model("Mine"), id: null, base: "https://lab.example/mine/" };
  assert.equal(new URLSearchParams(await query(folder)).get("model"), folder.base);
  const short = await toAddress(state({ model: folder }), "https://lab.example/course/?model=../mine");
  assert.equal(new URL(short).search, "?model=../mine", "an address that names the folder stays as it is");
});

test("a_link_can_open_one_panel_and_names_a_panel_that_does_not_exist", async () => {
  const known = await fromFragment("#panel=beams", ["beams"]);
  assert.deepEqual([known.panel, known.ignored], ["beams", []]);
  const opened = update(prepared, { type: "linkOpened", ...known });
  assert.equal(opened.linkPanel, "beams");
  assert.match(await toFragment(opened), /&panel=beams$/);
  assert.deepEqual((await fromFragment("#panel=nothing", ["beams"])).ignored, ["panel=nothing"]);
});

test("the_rule_for_the_border_is_in_a_link_and_decides_whether_temperature_0_is_taken", async () => {
  const controls = { ...defaultControls, temperature: 0, boundary: /** @type {const} */ ("listing") };
  const fragment = await toFragment(state({ controls }));
  assert.match(fragment, /&boundary=listing/);
  const { values, ignored } = await fromFragment(fragment);
  assert.deepEqual([values.temperature, values.boundary, ignored], [0, "listing", []]);
  assert.deepEqual((await fromFragment("#temperature=0&boundary=smallest")).ignored, ["temperature=0"]);
  assert.deepEqual((await fromFragment("#temperature=0&boundary=other")).ignored, ["temperature=0", "boundary=other"]);
});
