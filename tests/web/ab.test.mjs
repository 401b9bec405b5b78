/** The A/B panel without a page: configurations, lining up, differences of logits, the verdict, and its state. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { abOf } from "../../www/src/ab/actions.js";
import { align, blocksOf, sharedLength } from "../../www/src/ab/alignment.js";
import {
  differences,
  fromLink,
  generateCall,
  greedyAgainstSeeded,
  pageConfiguration,
  toLink,
  usualConfiguration,
} from "../../www/src/ab/configuration.js";
import { addBlock, noDifference } from "../../www/src/ab/logit-difference.js";
import { compare } from "../../www/src/ab/run.js";
import { initialAb, isOutdated, updateAb } from "../../www/src/ab/state.js";
import { apart, differenceSentence, firstAlike, seriesSentence, verdict } from "../../www/src/ab/verdict.js";
import { defaultControls } from "../../www/src/controls.js";
import { isHeldByPage } from "../../www/src/lab-places.js";
import { initialState, update } from "../../www/src/state.js";
import { fromFragment, toFragment } from "../../www/src/url-state.js";

/** @import { Holding } from "../../www/src/lab-places.js" */
/** @import { AbEvent, Comparison, Configuration } from "../../www/src/ab/types.js" */

/**
 * @param {Partial<import("../../www/src/page-types.js").Controls>} controls @param {Partial<Configuration>} [engine]
 */
const configuration = (controls, engine = {}) => ({
  ...usualConfiguration,
  ...engine,
  controls: { ...defaultControls, ...controls },
});
const token = (/** @type {number} */ id) => ({ id, shown: `·${id}`, spoken: `space, ${id}`, kind: "text" });
/** @param {number[]} ids */
const made = (ids) => ({
  tokens: ids.map(token),
  stopReason: /** @type {const} */ ("maxNewTokens"),
  seed: 42,
  ownWorker: false,
  weightBytes: 1,
});
const same = { ...noDifference, positions: 3 };

/** @param {number[]} a @param {number[]} b @param {Partial<Comparison>} [change] @returns {Comparison} */
const compared = (a, b, change = {}) => ({
  kind: "pair",
  of: [configuration({}), configuration({})],
  prompt: "Once",
  runs: [made(a), made(b)],
  alignment: align(a, b),
  difference: same,
  predictions: null,
  ...change,
});

test("tokens_are_lined_up_to_the_first_that_differs", () => {
  assert.deepEqual(align([1, 2, 3, 4], [1, 2, 9, 4]), { equal: 2, firstDifference: 2, endsFirst: null });
  assert.deepEqual(align([1, 2], [1, 2]), { equal: 2, firstDifference: null, endsFirst: null });
  assert.deepEqual(align([1], [1, 2]), { equal: 1, firstDifference: null, endsFirst: 0 });
  assert.deepEqual(align([1, 5], []), { equal: 0, firstDifference: null, endsFirst: 1 });
});

test("the_last_token_of_a_text_is_predicted_but_not_read", () => {
  assert.equal(sharedLength(align([1, 2, 3], [1, 2, 3]), 3), 2);
  assert.equal(sharedLength(align([1, 2, 3], [1, 2, 9]), 3), 2);
  assert.equal(sharedLength(align([1], [1, 2]), 2), 1);
  assert.equal(sharedLength(align([], []), 0), 0);
});

test("blocks_of_logits_cover_each_position_once_and_stay_small", () => {
  const blocks = blocksOf(9, 40, 50_304);
  assert.deepEqual(blocks, [
    { first: 9, count: 16 },
    { first: 25, count: 16 },
    { first: 41, count: 8 },
  ]);
  assert.deepEqual(blocksOf(0, 40, 4096), [{ first: 0, count: 40 }]);
  assert.deepEqual(blocksOf(5, 2, 1e9), [
    { first: 5, count: 1 },
    { first: 6, count: 1 },
  ]);
});

test("the_largest_difference_is_found_over_all_blocks_with_its_token_and_place", () => {
  const one = addBlock(noDifference, Float32Array.of(1, 2, 3, 4, 5, 6), Float32Array.of(1, 2, 3, 4, 5.5, 6), 3);
  assert.deepEqual(one, { value: 0.5, id: 1, index: 1, positions: 2, sameBits: false });
  const two = addBlock(one, Float32Array.of(0, 0, 7), Float32Array.of(0, 0, 5), 3);
  assert.deepEqual(two, { value: 2, id: 2, index: 2, positions: 3, sameBits: false });
});

test("the_same_bits_are_told_from_a_difference_of_zero", () => {
  assert.equal(addBlock(noDifference, Float32Array.of(1, 2), Float32Array.of(1, 2), 2).sameBits, true);
  const signs = addBlock(noDifference, Float32Array.of(0, 2), Float32Array.of(-0, 2), 2);
  assert.deepEqual([signs.value, signs.sameBits], [0, false]);
  assert.match(differenceSentence(same), /difference 0: the same bits at all 3 positions/);
  assert.match(differenceSentence(signs), /not the same bits/);
  assert.match(differenceSentence({ ...same, value: 3.1e-5, sameBits: false }), /3\.1 × 10\^−5 .*not the same bits/);
  assert.equal(apart(0.0416), "0.0416");
});

test("what_differs_is_named_with_both_values", () => {
  const pair = /** @type {[Configuration, Configuration]} */ ([
    configuration({ greedy: true, temperature: 0.5 }),
    configuration({ seed: 7, topK: 5 }, { precision: "int8", cache: "off" }),
  ]);
  assert.deepEqual(
    differences(pair).map(({ label, values }) => [label, ...values]),
    [
      ["decoding", "greedy", "drawing with a seed"],
      ["seed", "42", "7"],
      ["temperature", "0.5", "1"],
      ["top-k", "0", "5"],
      ["weights", "F32, exact", "INT8, not exact"],
      ["KV cache", "used", "not used: all again for each token"],
    ],
  );
  assert.deepEqual(differences([pair[0], pair[0]]), []);
  const greedy = configuration({ greedy: true });
  assert.deepEqual(differences([greedy, configuration({ greedy: true, seed: 1 })]), [], "greedy has no use for a seed");
});

test("the_page_opens_with_greedy_against_a_seed", () => {
  const [a, b] = greedyAgainstSeeded(pageConfiguration({ controls: { ...defaultControls, seed: 5 }, model: null }));
  assert.deepEqual([a.controls.greedy, b.controls.greedy, b.controls.seed], [true, false, 5]);
});

test("a_configuration_comes_back_from_its_link", () => {
  const entries = /** @type {any} */ ([{ id: "tales-2m" }]);
  const wild = configuration(
    {
      greedy: true,
      seed: 9,
      order: ["topK", "topP", "minP", "temperature"],
      suppress: [1, 262],
      stop: "a,b:c\n\\n",
      ignoreEos: true,
    },
    { model: "tales-2m", precision: "int8", kernel: "candle", cache: "off", kvCache: "f16", simd: "relaxed" },
  );
  assert.deepEqual(fromLink(toLink(wild), entries), wild);
  assert.equal(toLink(configuration({})), "seed:42");
  assert.deepEqual(
    fromLink("temperature:-3,precision:int3,model:other,nonsense,rows:50,stop:%", entries),
    configuration({}),
  );
});

test("a_page_link_holds_both_configurations_and_names_no_part_as_unknown", async () => {
  const pair = /** @type {[string, string]} */ (["greedy:1,seed:42", "seed:7,topP:0.9"]);
  const fragment = await toFragment({ ...initialState, prompt: "Once", linkPanel: "ab", abLink: pair });
  const link = await fromFragment(fragment);
  assert.deepEqual([link.panel, link.abLink, link.ignored], ["ab", pair, []]);
  assert.doesNotMatch(await toFragment({ ...initialState, prompt: "Once", abLink: pair }), /[&#][ab]=/);
  const opened = update(initialState, { type: "linkOpened", ...link });
  assert.equal(abOf(opened).pair[1].controls.topP, 0.9);
  const damaged = await fromFragment("#panel=ab&a=seed:1");
  assert.deepEqual(damaged.ignored, ["a=seed:1"]);
});

test("a_run_goes_to_the_page's_worker_when_it_holds_those_weights", () => {
  const model = /** @type {any} */ ({ id: "tales-2m", card: { precision: "f32", kvCache: "f32", simd: "baseline" } });
  assert.equal(isHeldByPage(configuration({}, { kernel: "candle", cache: "off" }), model), true);
  assert.equal(isHeldByPage(configuration({}, { model: "tales-2m" }), model), true);
  assert.equal(isHeldByPage(configuration({}, { precision: "int8" }), model), false);
  assert.equal(isHeldByPage(configuration({}, { simd: "relaxed" }), model), false);
  assert.equal(isHeldByPage(configuration({}, { model: "pythia-14m" }), model), false);
  const call = generateCall(configuration({ greedy: true }, { cache: "off", kernel: "candle" }), "Once");
  assert.deepEqual([call.cache, call.kernel, call.settings.greedy], [false, "candle", true]);
});

test("the_verdict_tells_what_parts_the_texts_from_what_does_not", () => {
  assert.match(
    verdict(compared([1, 2], [1, 3])),
    /part at token 2: A picked space, 2, B picked space, 3\. The model said the same/,
  );
  const rounded = { ...same, value: 0.04, sameBits: false };
  assert.match(verdict(compared([1, 2], [1, 3], { difference: rounded })), /differed by at most 0\.0400/);
  assert.match(verdict(compared([1, 2], [1, 2])), /same 2 tokens, from logits with the same bits\.$/);
  assert.match(
    verdict(compared([1, 2], [1, 2], { difference: rounded })),
    /not the same bits, but no pick was changed/,
  );
  assert.match(verdict(compared([1], [1, 2])), /No token differs: A ends after 1 token \(the limit/);
  assert.match(verdict(compared([1], [2], { alignment: null, difference: null })), /different tokens/);
});

test("only_equal_ids_and_equal_bits_are_a_proof", () => {
  const twice = /** @type {const} */ ({ kind: "twice" });
  assert.match(verdict(compared([1, 2], [1, 2], twice)), /^Proved equal: both runs \(seed 42\) made the same 2 tokens/);
  const unlike = { ...same, value: 1e-6, sameBits: false };
  assert.doesNotMatch(verdict(compared([1, 2], [1, 2], { ...twice, difference: unlike })), /Proved/);
  assert.doesNotMatch(verdict(compared([1, 2], [1, 3], twice)), /Proved/);
});

test("samples_are_counted_and_each_names_the_first_like_it", () => {
  const sample = (/** @type {number} */ seed, /** @type {number[]} */ ids) => ({
    seed,
    newIds: Uint32Array.from(ids),
    text: "",
    stopReason: /** @type {const} */ ("maxNewTokens"),
  });
  const samples = [sample(4, [1, 2]), sample(5, [1]), sample(6, [1, 2])];
  assert.deepEqual(firstAlike(samples), [0, 1, 0]);
  const series = { of: configuration({}), side: /** @type {const} */ (1), samples, distinct: 2 };
  assert.equal(seriesSentence(series), "3 texts (seeds 4 to 6), 2 of them distinct.");
  assert.match(seriesSentence({ ...series, of: configuration({ greedy: true }) }), /Greedy draws nothing/);
  assert.equal(seriesSentence({ ...series, samples: [] }), "No text was finished.");
});

test("a_number_that_is_out_of_range_is_not_in_force_and_says_why", () => {
  /** @param {AbEvent[]} events */
  const after = (...events) => events.reduce(updateAb, initialAb([configuration({}), configuration({})]));
  const good = after({ type: "typed", side: 0, name: "temperature", text: "0.5" }, { type: "left" });
  assert.deepEqual([good.pair[0].controls.temperature, good.typed, good.faults], [0.5, {}, {}]);
  const bad = after({ type: "typed", side: 1, name: "seed", text: "x" }, { type: "left" });
  assert.equal(bad.pair[1].controls.seed, 42);
  assert.match(bad.faults["1-seed"], /whole number/);
  assert.deepEqual(bad.typed, { "1-seed": "x" });
  const mended = updateAb(bad, { type: "configured", side: 1, values: {}, controls: { seed: 3 } });
  assert.deepEqual([mended.faults, mended.typed, mended.pair[1].controls.seed], [{}, {}, 3]);
  const many = after({ type: "countTyped", text: "1000" });
  assert.deepEqual([many.sampleCount, Object.keys(many.faults)], [10, ["count"]]);
});

test("a_result_is_outdated_by_another_prompt_or_configuration_and_swapping_back_mends_it", () => {
  const pair = /** @type {[Configuration, Configuration]} */ ([configuration({ greedy: true }), configuration({})]);
  const ab = updateAb(initialAb(pair), { type: "compared", comparison: compared([1], [1], { of: pair }) });
  assert.equal(isOutdated(ab, "Once"), false);
  assert.equal(isOutdated(ab, "Twice"), true);
  const swapped = updateAb(ab, { type: "swapped" });
  assert.equal(isOutdated(swapped, "Once"), true);
  assert.equal(isOutdated(updateAb(swapped, { type: "swapped" }), "Once"), false);
});

test("work_ends_and_what_is_said_after_a_stop_stays", () => {
  const started = updateAb(initialAb([configuration({}), configuration({})]), { type: "started", kind: "pair" });
  const stopping = updateAb(updateAb(started, { type: "stopAsked" }), { type: "progressed", words: "Run B" });
  assert.deepEqual(stopping.work, { kind: "pair", words: "Stopping", stopping: true });
  assert.equal(updateAb(stopping, { type: "ended", fault: null }).work, null);
});

/**
 * A bench whose model says `logits(side, position)` and whose runs are given. @param {number[][]} runs
 * @param {number} nudge of B's logits
 */
function bench(runs, nudge) {
  /** @type {any[]} */
  const asked = [];
  const answer = (/** @type {number} */ side, /** @type {any} */ call, /** @type {any} */ onStep) => {
    if (call.method === "generate") {
      const newIds = Uint32Array.from(runs[side]);
      runs[side].forEach((id, index) => onStep({ ...token(id), index }));
      return {
        result: {
          ids: Uint32Array.from([8, 9, ...runs[side]]),
          newIds,
          stopReason: "maxNewTokens",
          seed: 42,
          memoryBytes: { weightBytes: 5 },
        },
      };
    }
    if (call.method === "logits") {
      const { first, count } = call.positions.some;
      return {
        logits: Float32Array.from(
          { length: 4 * count },
          (_, n) => first + Math.floor(n / 4) + (side === 1 && n === 2 ? nudge : 0),
        ),
      };
    }
    return { distribution: { side, call } };
  };
  const calls = /** @type {any} */ ({
    ask: async (/** @type {number} */ workerId, /** @type {any} */ call, /** @type {any} */ { onStep }) => {
      asked.push({ workerId, call });
      return answer(workerId - 1, call, onStep);
    },
  });
  const placeOf = async (/** @type {Holding} */ { precision }) => ({
    workerId: precision === "int8" ? 2 : 1,
    vocabulary: 4,
    own: precision === "int8",
  });
  return { asked, calls, placeOf, report() {}, signal: new AbortController().signal };
}

test("two_workers_are_compared_on_the_identical_prefix_and_no_further", async () => {
  const parts = bench(
    [
      [1, 2, 3, 4],
      [1, 2, 5, 6],
    ],
    0.25,
  );
  const pair = /** @type {[Configuration, Configuration]} */ ([
    configuration({}),
    configuration({}, { precision: "int8" }),
  ]);
  const { alignment, difference, predictions, runs } = await compare("pair", pair, "Once", parts);
  assert.deepEqual(alignment, { equal: 2, firstDifference: 2, endsFirst: null });
  assert.deepEqual(difference, { value: 0.25, id: 2, index: 0, positions: 3, sameBits: false });
  assert.deepEqual(
    runs.map(({ ownWorker }) => ownWorker),
    [false, true],
  );
  const asked = parts.asked.filter(({ call }) => call.method === "predict");
  assert.deepEqual(
    asked.map(({ workerId, call }) => [workerId, call.ids, call.promptLength, call.markedId]),
    [
      [1, [8, 9, 1, 2], 2, 5],
      [2, [8, 9, 1, 2], 2, 3],
    ],
  );
  assert.equal(predictions?.length, 2);
});

test("runs_that_end_alike_need_no_distributions", async () => {
  const parts = bench([[1, 2], []], 0);
  const pair = /** @type {[Configuration, Configuration]} */ ([configuration({}), configuration({})]);
  const { alignment, difference, predictions } = await compare("twice", pair, "Once", parts);
  assert.deepEqual([alignment?.equal, difference?.positions, difference?.sameBits, predictions], [2, 2, true, null]);
});

test("models_with_other_tokens_are_not_lined_up", async () => {
  const parts = bench([[1], [1]], 0);
  const pair = /** @type {[Configuration, Configuration]} */ ([
    configuration({}),
    configuration({}, { precision: "int8" }),
  ]);
  const placeOf = async (/** @type {Holding} */ configuration) => {
    const place = await parts.placeOf(configuration);
    return { ...place, vocabulary: place.workerId };
  };
  const { alignment, difference } = await compare("pair", pair, "Once", { ...parts, placeOf });
  assert.deepEqual([alignment, difference], [null, null]);
});
