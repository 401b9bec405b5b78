/** Branches of a text, undo and redo, and looking back, as the state has them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { canChange, oldTexts, presentTexts, stepsOf, undoList } from "../../www/src/branches.js";
import { asLookedAt, shownIndex, stepLookedBackAt } from "../../www/src/look-back.js";
import { update } from "../../www/src/state.js";
import { stepOfRow, withToken } from "../../www/src/text-edit.js";
import { meanLogProbability, textTree, textTreeSentence } from "../../www/src/text-tree.js";
import { allNodes } from "../../www/src/tree-node.js";
import { distribution, from, memory, model, prepared, replay, source, step, stopped } from "./recorded.mjs";

/** @import { PageEvent, State } from "../../www/src/page-types.js" */
/** @import { GeneratedText } from "../../www/src/text-types.js" */

/** A run that makes these ids. @param {State} state @param {number[]} ids @param {"prompt" | "end"} start */
function made(state, ids, start = "prompt") {
  const running = update(state, { type: "runStarted", from: start });
  const first = stepsOf(running.text).length;
  const steps = ids.map((id, n) => ({ ...step(first + n, ` ${id}`), id }));
  const event = from(1, { type: "stepped", runId: running.lastRunId, revision: 0, steps, distribution: distribution(), memory });
  return replay(running, event, stopped(running));
}
/** @param {State} state @param {number} index @param {number} row @returns {State} */
function replaced(state, index, row) {
  const text = withToken(state, index, stepOfRow(distribution(), row, index));
  return update(state, { type: "branchSent", text, move: "edit" });
}
/** @param {State} state @param {"undo" | "redo"} move */
function travelled(state, move) {
  const { past, future } = undoList(state);
  const text = /** @type {GeneratedText | null} */ ((move === "undo" ? past : future).at(-1));
  return update(state, { type: "branchSent", text, move });
}
/** @param {State} state */
const ids = (state) => stepsOf(state.text).map(({ id }) => id);
/** @param {State} state */
const texts = (state) => presentTexts(state).map((text) => stepsOf(text).map(({ id }) => id));

const first = made(prepared, [10, 11, 12, 13]);

test("a_replaced_token_ends_the_text_and_the_old_text_stays_a_branch", () => {
  const other = replaced(first, 2, 1);
  assert.deepEqual(ids(other), [10, 11, 3]);
  assert.equal(other.text?.canContinue, true);
  assert.equal(stepsOf(other.text)[2].byHand, true);
  assert.deepEqual(texts(other), [[10, 11, 12, 13], [10, 11, 3]]);
  const further = made(other, [20, 21], "end");
  assert.deepEqual(texts(further), [[10, 11, 12, 13], [10, 11, 3, 20, 21]]);
});

test("what_tokens_make_showable_comes_from_the_engine_for_the_text_that_was_sent", () => {
  const other = replaced(first, 1, 0);
  const branched = { type: /** @type {const} */ ("branched"), tokens: distribution().tokens, reusedTokens: 3 };
  const stale = from(1, { ...branched, revision: other.revision - 1, texts: ["?", "?"] });
  assert.equal(update(other, stale), other);
  const read = update(other, from(1, { ...branched, revision: other.revision, texts: [" 10", " the"] }));
  assert.deepEqual(stepsOf(read.text).map(({ text }) => text), [" 10", " the"]);
  assert.equal(stepsOf(read.text)[0], stepsOf(first.text)[0], "a token whose text stays is the same one");
});

test("a_branch_that_is_gone_back_to_is_the_text_as_it_was", () => {
  const other = made(replaced(first, 2, 1), [20], "end");
  const [old] = presentTexts(other);
  const back = update(other, { type: "branchSent", text: old, move: "edit" });
  assert.deepEqual(stepsOf(back.text), stepsOf(first.text));
  assert.deepEqual(texts(back), [[10, 11, 12, 13], [10, 11, 3, 20]], "nothing is twice and nothing moves");
  assert.equal(stepsOf(back.text).every((kept, n) => kept === stepsOf(first.text)[n]), true);
});

test("undo_and_redo_go_through_runs_and_changes_one_by_one", () => {
  const changed = made(replaced(first, 2, 1), [20], "end");
  const stations = [[10, 11, 3], [10, 11, 12, 13], []];
  let state = changed;
  for (const station of stations) {
    state = travelled(state, "undo");
    assert.deepEqual(ids(state), station);
  }
  assert.equal(state.text, null);
  assert.equal(undoList(state).past.length, 0);
  for (const station of [[10, 11, 12, 13], [10, 11, 3], [10, 11, 3, 20]]) {
    state = travelled(state, "redo");
    assert.deepEqual(ids(state), station);
  }
  assert.equal(undoList(state).future.length, 0);
  const anew = replaced(travelled(state, "undo"), 0, 0);
  assert.equal(undoList(anew).future.length, 0, "a change ends what could be done again");
});

test("cleared_text_can_be_had_again", () => {
  const cleared = update(first, { type: "clearSent" });
  assert.equal(cleared.text, null);
  assert.deepEqual(texts(cleared), [[10, 11, 12, 13]]);
  assert.deepEqual(ids(travelled(cleared, "undo")), [10, 11, 12, 13]);
});

test("a_text_that_only_grew_is_one_branch", () => {
  const grown = made(made(first, [14], "end"), [15], "end");
  assert.deepEqual(texts(update(grown, { type: "clearSent" })), [[10, 11, 12, 13, 14, 15]]);
});

test("branches_belong_to_prompt_and_model_and_stay_until_they_are_cleared", () => {
  const edited = replay(first, { type: "promptEdited", text: "Twice" }, { type: "prepareSent" });
  assert.equal(canChange(edited), false, "the engine has not read the prompt yet");
  const second = made(edited, [30]);
  assert.deepEqual(texts(second), [[30]]);
  assert.equal(oldTexts(second).length, 1);
  assert.equal(undoList(second).past.length, 1, "undo does not cross prompts");
  const returned = replay(second, { type: "promptEdited", text: "Once" }, { type: "prepareSent" });
  assert.deepEqual(texts(returned), [[10, 11, 12, 13]]);
  assert.deepEqual(oldTexts(update(second, { type: "oldTextsCleared" })), []);
  const load = { type: /** @type {const} */ ("loadStarted"), workerId: 2, entryId: null, title: "Other", source, options: {} };
  const switched = replay(first, { ...load, activate: "always" }, from(2, { type: "loaded", loadId: 2, model: model("Other") }));
  assert.deepEqual([texts(switched).length, oldTexts(switched).length], [0, 1]);
});

test("a_text_whose_end_came_by_itself_is_not_gone_on_with_and_one_that_was_broken_off_is", () => {
  const text = /** @type {GeneratedText} */ (first.text);
  const again = (/** @type {Partial<GeneratedText>} */ change) =>
    update(first, { type: "branchSent", text: { ...text, ...change }, move: "edit" }).text?.canContinue;
  assert.equal(again({ reason: "endToken" }), false);
  assert.equal(again({ reason: null, stale: true, canContinue: false }), true);
});

test("the_tree_parts_where_the_texts_do_and_marks_the_present_path", () => {
  const state = made(replaced(first, 2, 1), [20], "end");
  /** @type {GeneratedText[]} */
  const used = [];
  const all = presentTexts(state);
  const tree = textTree(all, state.text, (text) => used.push(text));
  assert.deepEqual(allNodes(tree).map(({ tokens, index, marked }) => [index, tokens.length, marked]), [
    [0, 2, true],
    [2, 2, false],
    [2, 2, true],
  ]);
  const [old, present] = tree[0].children;
  assert.equal(present.use, null);
  assert.deepEqual(present.tags, ["present text", "put in by hand"]);
  old.use?.run();
  assert.deepEqual(used, [all[0]]);
  assert.match(textTreeSentence(all, tree), /^2 texts from this prompt; they part at token 3\./);
  assert.equal(meanLogProbability(all[0]).toFixed(6), Math.log(0.625).toFixed(6));
});

test("the_step_that_is_looked_at_takes_the_bars_and_gives_them_back", () => {
  const looking = update(first, { type: "stepLookedAt", index: 2, pinned: false });
  assert.equal(stepLookedBackAt(looking)?.id, 12);
  assert.equal(asLookedAt(looking).distribution, null, "none of another step");
  const asked = update(looking, { type: "lookSent" });
  const event = { type: /** @type {const} */ ("shown"), step: 2, distribution: distribution({ kept: 5 }) };
  assert.equal(update(asked, from(1, { ...event, revision: asked.revision - 1 })), asked, "of an earlier question");
  const shown = update(asked, from(1, { ...event, revision: asked.revision }));
  assert.equal(asLookedAt(shown).distribution?.kept, 5);
  assert.equal(asLookedAt(shown).controls, shown.controls);
  assert.equal(shownIndex(asLookedAt(shown)), 2);
  const over = update(shown, { type: "lookEnded" });
  assert.equal(asLookedAt(over).distribution, first.distribution);
  /** @type {PageEvent[]} */
  const ends = [{ type: "runStarted", from: "end" }, { type: "clearSent" }, { type: "promptEdited", text: "Twice" }];
  for (const end of ends) assert.equal(update(shown, end).look, null, end.type);
});

test("a_step_that_is_not_there_is_not_looked_at", () => {
  assert.equal(update(first, { type: "stepLookedAt", index: 4, pinned: true }), first);
  assert.equal(update(prepared, { type: "stepLookedAt", index: 0, pinned: true }), prepared);
});

test("texts_are_kept_as_far_back_as_so_many_tokens_and_the_last_one_always", () => {
  const long = Array.from({ length: 9000 }, (_, n) => n);
  let state = prepared;
  for (let first = 0; first < 4; first++) state = made(state, [first + 10_000, ...long]);
  assert.deepEqual(texts(state).map(([id]) => id), [10_001, 10_002, 10_003]);
  assert.equal(undoList(state).past.length, 2);
  const longer = made(prepared, Array.from({ length: 21_000 }, (_, n) => n));
  assert.equal(texts(update(longer, { type: "clearSent" })).length, 1);
});
