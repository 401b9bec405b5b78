import assert from "node:assert/strict";
import { test } from "node:test";
import { update } from "../../www/src/state.js";
import { distribution, from, model, prepared, replay, source, step, stepped, stopped } from "./recorded.mjs";

/** @import { PageEvent, State } from "../../www/src/page-types.js" */

const running = update(prepared, { type: "runStarted", from: "prompt" });
/** @param {State} state */
const written = (state) => state.text?.blocks.flat().map(({ text }) => text).join("");

test("a_prepared_prompt_has_tokens_prefill_and_bars", () => {
  assert.equal(prepared.model?.title, "Tales");
  assert.equal(prepared.tokens?.ids.length, 2);
  assert.equal(prepared.prefill?.ms, 3);
  assert.equal(prepared.distribution?.pickedId, null);
});

test("a_run_appends_its_steps_and_ends_once", () => {
  const after = replay(running, stepped(running, " the"), stopped(running));
  assert.equal(written(after), " the");
  assert.equal(after.run, null);
  assert.equal(after.text?.canContinue, true);
  assert.equal(after.distribution?.pickedId, 7);
  assert.equal(update(after, stopped(running)), after, "a second end changes nothing");
});

test("events_of_a_stale_run_are_dropped", () => {
  const second = replay(running, stopped(running), { type: "runStarted", from: "prompt" });
  assert.equal(update(second, stepped(running, " old")), second);
});

test("events_of_a_stale_prompt_are_dropped", () => {
  const edited = replay(prepared, { type: "promptEdited", text: "Once upon" }, { type: "prepareSent" });
  const late = from(1, { type: "previewed", revision: 1, distribution: distribution({ kept: 1 }) });
  assert.equal(update(edited, late), edited);
  const tokens = from(1, { type: "tokenized", revision: 1, tokens: distribution().tokens, tokenizeMs: 9 });
  assert.equal(update(edited, tokens), edited);
});

test("previews_behind_a_moving_slider_still_move_the_bars", () => {
  const dragged = replay(prepared, { type: "configureSent" }, { type: "configureSent" });
  const behind = from(1, {
    type: "previewed",
    revision: dragged.revision - 1,
    distribution: distribution({ kept: 1 }),
  });
  assert.equal(update(dragged, behind).distribution?.kept, 1);
});

test("events_of_a_worker_that_is_not_active_are_dropped", () => {
  const other = from(2, { type: "previewed", revision: 9, distribution: distribution({ kept: 1 }) });
  assert.equal(update(prepared, other), prepared);
});

test("text_held_back_is_released_with_the_last_token", () => {
  const after = replay(running, stepped(running, " th"), stopped(running, { finalText: "e" }));
  assert.equal(written(after), " the");
});

test("going_on_keeps_the_text_and_starting_again_replaces_it", () => {
  const once = replay(running, stepped(running, " a"), stopped(running));
  const further = update(once, { type: "runStarted", from: "end" });
  assert.equal(written(update(further, stepped(further, " b"))), " a b");
  const again = update(once, { type: "runStarted", from: "prompt" });
  assert.equal(written(again), "");
});

test("text_of_an_earlier_prompt_stays_and_is_marked", () => {
  const once = replay(running, stepped(running, " a"), stopped(running), {
    type: "promptEdited",
    text: "Twice",
  });
  assert.equal(written(once), " a");
  assert.equal(once.text?.stale, true);
  assert.equal(once.text?.prompt, "Once");
  assert.equal(once.text?.canContinue, false);
});

test("an_empty_prompt_has_no_bars", () => {
  const empty = update(prepared, { type: "promptEdited", text: "" });
  assert.equal(empty.distribution, null);
  assert.equal(empty.tokens, null);
});

test("bars_stay_until_an_event_brings_new_ones", () => {
  const barless = /** @type {Extract<PageEvent, { type: "worker" }>} */ (stepped(running, " b"));
  const event = /** @type {any} */ ({ ...barless.event, distribution: null });
  const once = replay(running, stepped(running, " a"), from(1, event));
  assert.equal(written(once), " a b");
  assert.equal(once.distribution?.pickedId, 7);
  const paced = update(once, { type: "paceChosen", pace: "three" });
  const caughtUp = update(paced, from(1, { ...event, steps: [], distribution: distribution({ pickedId: 9 }) }));
  assert.equal(caughtUp.slowStep, null, "bars alone are no step");
  assert.equal(caughtUp.distribution?.pickedId, 9);
});

test("three_a_second_shows_filter_then_pick_then_text", () => {
  const slow = replay(
    prepared,
    { type: "paceChosen", pace: "three" },
    { type: "runStarted", from: "prompt" },
  );
  const forward = update(slow, stepped(slow, " the"));
  assert.equal(forward.slowStep?.phase, "forward");
  assert.equal(forward.distribution?.pickedId, null, "the bars are still those before");
  const filter = update(forward, { type: "phaseElapsed" });
  assert.equal(filter.slowStep?.phase, "filter");
  const pick = update(filter, { type: "phaseElapsed" });
  assert.equal(written(pick), "");
  assert.equal(pick.distribution?.pickedId, 7);
  const append = update(pick, { type: "phaseElapsed" });
  assert.equal(written(append), " the");
  assert.equal(append.slowStep, null);
  assert.equal(append.run?.waiting, true);
});

test("the_end_of_a_slow_run_waits_for_its_last_token", () => {
  const slow = replay(
    prepared,
    { type: "paceChosen", pace: "three" },
    { type: "runStarted", from: "prompt" },
  );
  const ended = replay(slow, stepped(slow, " the"), stopped(slow));
  assert.notEqual(ended.run, null);
  const next = /** @type {PageEvent} */ ({ type: "phaseElapsed" });
  const shown = replay(ended, next, next, next);
  assert.equal(shown.run, null);
  assert.equal(written(shown), " the");
});

test("full_speed_shows_at_once_what_was_being_shown_slowly", () => {
  const slow = replay(
    prepared,
    { type: "paceChosen", pace: "three" },
    { type: "runStarted", from: "prompt" },
  );
  const fast = replay(slow, stepped(slow, " the"), { type: "paceChosen", pace: "full" });
  assert.equal(written(fast), " the");
  assert.equal(fast.run?.waiting, false);
});

test("a_value_out_of_range_is_explained_and_not_in_force", () => {
  const typed = update(prepared, { type: "controlTyped", name: "temperature", text: "0" });
  assert.equal(typed.controls.temperature, 1);
  assert.match(typed.faults.temperature ?? "", /Greedy/);
  const mended = update(typed, { type: "controlTyped", name: "temperature", text: "0,8" });
  assert.equal(mended.controls.temperature, 0.8);
  assert.equal(mended.faults.temperature, undefined);
});

test("a_value_typed_into_a_step_that_is_off_switches_it_on", () => {
  const off = update(prepared, { type: "controlsSet", values: { topK: 7, bypassed: ["topK"] } });
  const typed = update(off, { type: "controlTyped", name: "topK", text: "9" });
  assert.deepEqual([typed.controls.topK, typed.controls.bypassed], [9, []]);
});

test("tokens_to_ban_are_those_of_the_newest_text_and_keep_their_names", () => {
  const asked = replay(
    prepared,
    { type: "banTyped", text: "th" },
    { type: "banLookupSent" },
    { type: "banTyped", text: "the" },
    { type: "banLookupSent" },
  );
  /** @param {number} runId */
  const answer = (runId) =>
    from(1, { type: "answered", runId, answer: { method: "tokenize", tokens: distribution().tokens } });
  assert.equal(update(asked, answer(asked.lastRunId - 1)), asked, "the answer to an older text");
  const found = update(asked, answer(asked.lastRunId));
  assert.deepEqual([...(found.banLookup?.tokens?.ids ?? [])], [7, 3]);
  assert.equal(found.tokenNames[7].spoken, "space, the");
  assert.equal(update(found, { type: "banTyped", text: "" }).banLookup, null);
  const other = replay(found, ...secondModel("always"));
  assert.deepEqual(other.tokenNames, {}, "another model has other tokens");
});

test("a_lookup_does_not_end_the_run", () => {
  const during = replay(running, { type: "banTyped", text: "th" }, { type: "banLookupSent" });
  const after = update(during, { ...stepped(running, " the") });
  assert.equal(written(after), " the");
});

test("copied_is_said_until_something_changes", () => {
  const copied = update(prepared, { type: "copied", what: "link", ok: true, spoken: "Link copied." });
  assert.deepEqual(copied.copied, { what: "link", ok: true });
  assert.equal(update(copied, { type: "controlsSet", values: { seed: 1 } }).copied, null);
  assert.equal(update(copied, { type: "promptEdited", text: "Else" }).copied, null);
});

/** @param {"untouched" | "always"} activate @param {import("../../www/src/messages.js").LoadOptions} [options] */
const pythiaStarts = (activate, options = {}) =>
  /** @satisfies {PageEvent} */ ({
    type: /** @type {const} */ ("loadStarted"),
    workerId: 2,
    entryId: "pythia",
    title: "Pythia",
    source,
    options,
    activate,
  });

/** @param {"untouched" | "always"} activate @returns {PageEvent[]} */
const secondModel = (activate) => [
  pythiaStarts(activate),
  from(2, { type: "loaded", loadId: 2, model: model("Pythia") }),
];

test("a_second_model_is_used_by_itself_only_on_an_untouched_page", () => {
  const alone = replay(prepared, ...secondModel("untouched"));
  assert.equal(alone.activeWorkerId, 2);
  const touched = replay(prepared, { type: "touched" }, ...secondModel("untouched"));
  assert.equal(touched.activeWorkerId, 1);
  assert.equal(touched.loads[0].phase, "ready");
  assert.equal(update(touched, { type: "modelActivated", workerId: 2 }).model?.title, "Pythia");
});

test("a_switch_keeps_the_prompt_and_clears_the_text", () => {
  const once = replay(running, stepped(running, " a"), stopped(running), ...secondModel("always"));
  assert.equal(once.prompt, "Once");
  assert.equal(once.text, null);
  assert.equal(once.distribution, null);
});

test("a_failed_load_leaves_the_active_model_and_can_be_retried", () => {
  const error = { code: /** @type {const} */ ("unreachable"), message: "No answer.", details: {} };
  const failed = replay(
    prepared,
    pythiaStarts("untouched", { simd: "relaxed" }),
    from(2, { type: "loadFailed", loadId: 2, error }),
  );
  assert.equal(failed.activeWorkerId, 1);
  assert.deepEqual(failed.problems[0], { id: 1, error, retry: source, options: { simd: "relaxed" }, workerId: null });
});

test("a_crash_ends_the_run_and_keeps_prompt_and_text", () => {
  const error = { code: /** @type {const} */ ("crashed"), message: "It panicked.", details: {} };
  const crashed = replay(running, stepped(running, " a"), from(1, { type: "crashed", error }));
  assert.equal(crashed.activeWorkerId, null);
  assert.equal(crashed.run, null);
  assert.equal(crashed.prompt, "Once");
  assert.equal(written(crashed), " a");
});

test("a_failure_of_a_console_call_is_not_the_pages", () => {
  const error = {
    code: /** @type {const} */ ("settings"),
    message: "No.",
    details: { subject: null, expected: null, found: null },
  };
  const event = from(1, { type: "failed", runId: 4_000_000_000, revision: null, error });
  assert.equal(update(prepared, event), prepared);
});

test("a_prompt_that_does_not_fit_shows_a_problem_and_no_bars", () => {
  const error = {
    code: /** @type {const} */ ("context"),
    message: "Too long.",
    details: { subject: null, expected: null, found: null },
  };
  const failed = update(prepared, from(1, { type: "failed", runId: null, revision: 1, error }));
  assert.equal(failed.problems[0].error.code, "context");
  assert.equal(failed.distribution, null);
  const mending = replay(failed, { type: "promptEdited", text: "On" }, { type: "prepareSent" });
  assert.equal(mending.problems.length, 1, "it stays until a prompt has been read");
  const read = from(1, { type: "previewed", revision: mending.revision, distribution: distribution() });
  assert.equal(update(mending, read).problems.length, 0);
});

test("an_inspection_of_another_token_is_dropped", () => {
  const asked = replay(prepared, { type: "inspectSent", position: 0 }, { type: "inspectSent", position: 1 });
  const shapes = [{ name: "logits", dimensions: [10] }];
  const answer = {
    type: /** @type {const} */ ("inspected"),
    distribution: distribution(),
    nextId: 3,
    shapes,
  };
  assert.equal(update(asked, from(1, { ...answer, revision: asked.revision - 1, position: 0 })), asked);
  const shown = update(asked, from(1, { ...answer, revision: asked.revision, position: 1 }));
  assert.equal(shown.inspection?.result?.nextId, 3);
});

test("events_never_change_the_state_they_are_given", () => {
  const before = JSON.stringify(running);
  replay(running, stepped(running, " a"), stopped(running, { finalText: "!" }), { type: "clearSent" });
  assert.equal(JSON.stringify(running), before);
  assert.equal(step(0, "x").forwardMs, 0);
});
