/** The console interface as docs/scripting.md promises it, with the bundled model. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { largestDifference, openLab, openPage, readFixture } from "./harness.mjs";

describe("window.logitLab", () => {
  /** @type {Awaited<ReturnType<typeof openLab>>} */
  let lab;
  /** @type {any} */
  let reference;

  before(async () => {
    reference = await readFixture("tales-2m.json");
    lab = await openLab();
    await openPage(lab.browser, `${lab.server.url}?model=tales-2m`);
  });
  after(() => lab?.close());

  /** @param {string} expression @param {...unknown} args */
  const lookUp = (expression, ...args) => lab.browser.run(`return await ${expression};`, ...args);

  test("tokenizes_the_reference_prompts", async () => {
    for (const { prompt, ids } of reference.cases) {
      const answer = await lookUp("logitLab.tokenize(args[0])", prompt);
      assert.deepEqual(answer.ids, ids);
      assert.equal(answer.pieces.length, ids.length);
    }
  });

  test("logits_of_the_last_position_equal_the_reference", async () => {
    for (const { ids, last_logits_top10 } of reference.cases) {
      const logits = await lookUp("logitLab.logits({ ids: args[0] })", ids);
      assert.equal(logits.length, 4096);
      for (const [id, value] of last_logits_top10) assert.ok(Math.abs(logits[id] - value) < 1e-3, `token ${id}`);
    }
  });

  test("logits_of_all_positions_do_not_depend_on_the_cache", async () => {
    const { ids } = reference.cases[2];
    const cached = await lookUp('logitLab.logits({ ids: args[0], positions: "all" })', ids);
    const fresh = await lookUp('logitLab.logits({ ids: args[0], positions: "all", cache: false })', ids);
    const last = await lookUp("logitLab.logits({ ids: args[0] })", ids);
    assert.equal(cached.length, ids.length * 4096);
    assert.ok(largestDifference(cached, fresh) < 1e-4);
    assert.ok(largestDifference(cached.slice(-4096), last) < 1e-4);
  });

  test("the_four_token_example_comes_out_exactly_in_both_orders", async () => {
    const logits = [8, 4, 2, 1].map(Math.log);
    const half = { kind: "temperature", value: 0.5 };
    const nucleus = { kind: "topP", value: 0.75 };
    const ask = (/** @type {object[]} */ ...chain) =>
      lookUp("logitLab.sampleStep({ logits: args[0], settings: { chain: args[1] }, uniform: 0.9 })", logits, chain);

    const temperatureFirst = await ask(half, nucleus);
    assert.deepEqual(temperatureFirst.probabilities, [1, 0, 0, 0]);
    assert.equal(temperatureFirst.draw.id, 0);
    assert.ok(
      largestDifference(
        temperatureFirst.baseProbabilities,
        [8, 4, 2, 1].map((n) => n / 15),
      ) < 1e-6,
    );

    const nucleusFirst = await ask(nucleus, half);
    assert.ok(largestDifference(nucleusFirst.probabilities, [0.8, 0.2, 0, 0]) < 1e-6);
    assert.deepEqual(nucleusFirst.probabilities.slice(2), [0, 0]);
    assert.equal(nucleusFirst.draw.id, 1);
    assert.deepEqual(nucleusFirst.ranking, [0, 1, 2, 3]);

    const boundary = await ask({ kind: "topP", value: 0.8 });
    assert.deepEqual(
      boundary.cuts.map((/** @type {any} */ cut) => [cut.keptBefore, cut.keptAfter]),
      [[4, 2]],
    );
    const topTwo = await ask({ kind: "topK", value: 2 });
    assert.ok(largestDifference(topTwo.probabilities, [2 / 3, 1 / 3, 0, 0]) < 1e-6);
  });

  test("probabilities_sum_to_one_over_the_whole_vocabulary", async () => {
    const settings = {
      chain: [
        { kind: "temperature", value: 0.8 },
        { kind: "topP", value: 0.9 },
      ],
    };
    const logits = await lookUp("logitLab.logits({ ids: args[0] })", reference.cases[0].ids);
    const step = await lookUp("logitLab.sampleStep({ logits: args[0], settings: args[1], seed: 7 })", logits, settings);
    const sum = (/** @type {number[]} */ values) => values.reduce((total, value) => total + value, 0);
    for (const column of [step.baseProbabilities, step.probabilities]) {
      assert.equal(column.length, 4096);
      assert.ok(Math.abs(sum(column) - 1) < 1e-9, `${sum(column)}`);
    }
    assert.deepEqual(
      step.ranking.toSorted((/** @type {number} */ a, /** @type {number} */ b) => a - b),
      [...Array(4096).keys()],
    );
  });

  test("greedy_generation_equals_the_reference", async () => {
    for (const { ids, prompt, greedy_48, greedy_text } of reference.cases) {
      const options = { ids, settings: { greedy: true }, maxNewTokens: 48, eosId: null };
      const answer = await lookUp("logitLab.generate(args[0])", options);
      assert.deepEqual(answer.newIds, greedy_48, prompt);
      assert.deepEqual(answer.ids, [...ids, ...greedy_48]);
      assert.equal(answer.text, greedy_text);
    }
  });

  test("a_run_of_n_tokens_takes_one_prefill_and_n_minus_one_steps", async () => {
    const body = `const shown = [];
      const answer = await logitLab.generate({ prompt: "Once upon a time", settings: { greedy: true }, maxNewTokens: 12,
        ignoreEos: true, onStep: (step) => shown.push(step.id) });
      return { answer, shown };`;
    const { answer, shown } = await lab.browser.run(body);
    assert.equal(answer.stopReason, "maxNewTokens");
    assert.equal(answer.newIds.length, 12);
    assert.equal(answer.forwardCalls, 12);
    assert.equal(answer.timingsMs.decodeSteps.length, 11);
    assert.deepEqual(shown, answer.newIds);
    assert.ok(answer.memoryBytes.kvUsedBytes > 0);
  });

  test("one_seed_gives_one_text_also_after_a_reload", async () => {
    const options = {
      prompt: "The old man looked at the",
      settings: { chain: [{ kind: "temperature", value: 1 }] },
      seed: 42,
      maxNewTokens: 40,
    };
    const first = await lookUp("logitLab.generate(args[0])", options);
    const second = await lookUp("logitLab.generate(args[0])", options);
    await openPage(lab.browser, `${lab.server.url}?model=tales-2m`);
    const third = await lookUp("logitLab.generate(args[0])", options);
    assert.equal(first.seed, 42);
    assert.deepEqual([second.newIds, third.newIds], [first.newIds, first.newIds]);

    const random = await lookUp("logitLab.generate(args[0])", { ...options, seed: undefined });
    const repeated = await lookUp("logitLab.generate(args[0])", { ...options, seed: random.seed });
    assert.deepEqual(repeated.newIds, random.newIds);
  });

  test("a_beam_search_answers_with_scores_and_typed_arrays_and_one_beam_is_greedy", async () => {
    const { ids, greedy_48 } = reference.cases[0];
    const one = await lookUp("logitLab.beam(args[0])", { ids, beams: 1, maxNewTokens: 12 });
    assert.deepEqual(one.sequences[0].newIds, greedy_48.slice(0, 12));
    const { sequences, tree } = await lookUp("logitLab.beam(args[0])", { ids, beams: 3, maxNewTokens: 6 });
    assert.equal(sequences.length, 3);
    assert.ok(sequences[0].score >= sequences[1].score);
    assert.equal(tree.scores[sequences[0].leaf], sequences[0].score);
    assert.equal(tree.parents.length, tree.tokens.ids.length);
  });

  test("a_stop_string_that_spans_tokens_ends_the_text_before_it", async () => {
    const { ids, greedy_48 } = reference.cases[0];
    const options = { ids, settings: { greedy: true }, maxNewTokens: 48, stop: ["first time"] };
    const answer = await lookUp("logitLab.generate(args[0])", options);
    assert.equal(answer.stopReason, "stopString");
    assert.equal(answer.text, ", the first, the ");
    assert.deepEqual(answer.newIds, greedy_48.slice(0, 7));
  });

  test("calls_that_cannot_be_carried_out_reject_with_a_code_and_the_next_ones_go_on", async () => {
    const refused = [
      ["logitLab.beam({ prompt: 'x', beams: 9 })", "settings"],
      ["logitLab.generate({})", "command"],
      ["logitLab.generate({ prompt: 'x', settings: { chain: [{ kind: 'temperature', value: -1 }] } })", "settings"],
      ["logitLab.loadModel({ model: 'no-such-model' })", "unknownModel"],
      ["logitLab.sampleStep({ logits: 'many' })", "command"],
    ];
    for (const [call, code] of refused) {
      await assert.rejects(
        lookUp(call),
        (/** @type {any} */ error) => error.code === code && error.message.length > 0,
        call,
      );
    }
    assert.deepEqual((await lookUp("logitLab.tokenize('x')")).ids, [88]);
  });

  test("the_report_tells_what_is_loaded", async () => {
    const report = await lookUp("logitLab.report()");
    assert.equal(report.model.id, "tales-2m");
    assert.ok(report.model.files.every((/** @type {any} */ file) => file.check === "equal"));
  });
});
