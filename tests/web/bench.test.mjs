/** Looking closer at a step: what the page keeps of it, and what it asks the engine. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createBenchActions } from "../../www/src/bench-actions.js";
import { selectOf } from "../../www/src/bench.js";
import { figure } from "../../www/src/format.js";
import { initialState, update } from "../../www/src/state.js";
import { distribution, from, prepared, replay, stopped } from "./recorded.mjs";

/** @import { ChosenToken } from "../../www/src/page-types.js" */

/** @param {number} id @returns {ChosenToken} */
const token = (id) => ({ id, text: `${id}`, spoken: `${id}`, kind: "text" });
const choose = (/** @type {number} */ id) => ({ type: /** @type {const} */ ("tokenChosen"), token: token(id) });
const comparison = { rawGap: 1, baseOdds: Math.E, scaledGap: 2, odds: Math.E ** 2 };

test("columns_come_and_go_one_by_one", () => {
  const two = replay(initialState, { type: "columnToggled", column: "scaled" }, { type: "columnToggled", column: "span" });
  assert.deepEqual(two.columns, ["scaled", "span"]);
  assert.deepEqual(update(two, { type: "columnToggled", column: "scaled" }).columns, ["span"]);
});

test("the_number_set_by_hand_decides_once_and_what_it_decided_is_remembered", () => {
  const moved = update(prepared, { type: "diceMoved", uniform: 0.75 });
  const running = update(moved, { type: "runStarted", from: "prompt" });
  assert.deepEqual([running.dice, running.diceUsed], [null, 0.75]);
  const goesOn = replay(running, stopped(running), { type: "runStarted", from: "end" });
  assert.equal(goesOn.diceUsed, 0.75, "its token is still in the text");
  const anew = replay(running, stopped(running), { type: "runStarted", from: "prompt" });
  assert.equal(anew.diceUsed, null);
});

test("whoever_sets_the_seed_wants_its_number", () => {
  const moved = update(prepared, { type: "diceMoved", uniform: 0.75 });
  assert.equal(update(moved, { type: "controlTyped", name: "seed", text: "7" }).dice, null);
  assert.equal(update(moved, { type: "controlTyped", name: "topP", text: "0.5" }).dice, 0.75);
});

test("two_tokens_are_chosen_a_third_takes_the_place_of_the_first", () => {
  const three = replay(prepared, choose(1), choose(2), choose(3));
  assert.deepEqual(three.chosen.map(({ id }) => id), [2, 3]);
  assert.deepEqual(update(three, choose(2)).chosen.map(({ id }) => id), [3]);
});

test("odds_of_an_older_choice_or_request_are_dropped", () => {
  const asked = replay(prepared, choose(1), choose(2), { type: "compareSent" });
  const revision = asked.comparison.revision;
  const answer = { type: /** @type {const} */ ("compared"), revision, step: 0, firstId: 1, secondId: 2, comparison };
  assert.deepEqual(update(asked, from(1, answer)).comparison.result, comparison);
  const again = update(asked, { type: "compareSent" });
  assert.equal(update(again, from(1, answer)), again);
  const other = update(asked, choose(3));
  assert.equal(update(other, from(1, answer)), other);
});

test("a_token_that_was_looked_for_is_shown_unless_something_else_was_typed_since", () => {
  const asked = replay(prepared, { type: "finderTyped", text: "the" }, { type: "finderSent" });
  const found = from(1, { type: "shown", revision: asked.finder.revision, step: 0, distribution: distribution() });
  assert.equal(update(asked, found).finder.result?.kept, 2);
  const typed = update(asked, { type: "finderTyped", text: "them" });
  assert.equal(update(typed, found), typed);
  assert.equal(replay(asked, found, { type: "finderTyped", text: "" }).finder.result, null);
  assert.equal(update(asked, { type: "finderTyped", by: "id" }).finder.text, "", "a text is no id");
  assert.equal(replay(asked, found, { type: "finderTyped", by: "id", text: "12x" }).finder.result, null);
});

test("what_is_asked_is_a_text_an_id_or_a_page_of_ranks_from_1", () => {
  const finder = { revision: 0, result: null };
  assert.deepEqual(selectOf({ ...finder, by: "text", text: " a\\n" }), { text: { text: " a\n", count: 20 } });
  assert.deepEqual(selectOf({ ...finder, by: "id", text: "0" }), { ids: [0] });
  assert.deepEqual(selectOf({ ...finder, by: "rank", text: "11" }), { ranks: { first: 10, count: 10 } });
  for (const text of ["", "0", "-1", "1.5", "one"]) assert.equal(selectOf({ ...finder, by: "rank", text }), null, text);
});

test("another_model_has_other_tokens", () => {
  const chosen = replay(prepared, choose(1), { type: "finderTyped", text: "a" });
  const gone = replay(chosen, { type: "loadStarted", workerId: 2, entryId: null, title: "Other", source: { kind: "folder", base: "x" }, options: {}, activate: "always" },
    from(2, { type: "loaded", loadId: 2, model: /** @type {any} */ ({ ...prepared.model, title: "Other" }) }));
  assert.equal(gone.activeWorkerId, 2);
  assert.deepEqual([gone.chosen, gone.finder.text], [[], ""]);
});

test("many_draws_remember_what_they_were_drawn_from", () => {
  const sent = update(prepared, { type: "drawsSent" });
  assert.equal(sent.draws?.of, prepared.distribution);
  const result = /** @type {any} */ ({ draws: 1000 });
  const drawn = update(sent, from(1, { type: "answered", runId: sent.draws?.runId ?? 0, answer: { method: "draws", result } }));
  assert.equal(drawn.draws?.result, result);
  assert.equal(update(drawn, from(1, { type: "answered", runId: 99, answer: { method: "draws", result } })), drawn);
});

test("figures_of_any_size_have_few_digits", () => {
  const written = { 3.0345: "3.03", 128.44: "128.4", 0.05: "0.0500", 12345678: "1.2 × 10^7", 0.00001: "1.0 × 10^−5" };
  for (const [value, text] of Object.entries(written)) assert.equal(figure(Number(value)), text);
  assert.equal(figure(-2.5), "−2.50");
  assert.equal(figure(-0), "0");
});

test("the_engine_is_asked_when_the_bars_rest_not_during_a_run_nor_while_a_prompt_is_read", () => {
  const asked = (/** @type {Partial<import("../../www/src/page-types.js").State>} */ change) => {
    let state = { ...replay(prepared, choose(1), choose(2)), ...change };
    /** @type {string[]} */
    const sent = [];
    const actions = createBenchActions({
      getState: () => state,
      dispatch: (event) => (state = update(state, event)),
      client: /** @type {any} */ ({ send: (/** @type {{ type: string }} */ { type }) => sent.push(type) }),
      settings: () => ({}),
      configureSoon: () => sent.push("configure"),
      speakAfterPause: () => {},
    });
    actions.toggleBench(true);
    actions.moveDice(0.5);
    actions.drawMany(false);
    return sent;
  };
  assert.deepEqual(asked({}), ["compare", "configure", "call"]);
  const run = { runId: 1, status: /** @type {const} */ ("running"), paced: false, waiting: false };
  assert.deepEqual(asked({ run }), []);
  assert.deepEqual(asked({ stage: "prefill" }), ["configure"]);
  assert.deepEqual(asked({ distribution: null }), ["configure"]);
});
