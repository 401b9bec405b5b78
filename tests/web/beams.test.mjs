/** Beam search in the page: its fields, and its tree from parts to pieces. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createBeamActions } from "../../www/src/beam-actions.js";
import { beamSentence, beamTree, pathTo, textOfSequence } from "../../www/src/beam-tree.js";
import { readBeamFields } from "../../www/src/beam-fields.js";
import { stepsOf } from "../../www/src/branches.js";
import { update } from "../../www/src/state.js";
import { allNodes } from "../../www/src/tree-node.js";
import { from, prepared, replay } from "./recorded.mjs";

/** @import { BeamSequence, BeamTree } from "../../www/src/protocol.js" */

/** Rows as [step, parent, id, log-probability, sum, fate]. @param {number[][]} rows @returns {BeamTree} */
function treeOf(rows) {
  const column = (/** @type {number} */ n) => rows.map((row) => row[n]);
  return {
    steps: Uint32Array.from(column(0)),
    parents: Uint32Array.from(column(1)),
    tokens: {
      ids: Uint32Array.from(column(2)),
      text: column(2).map((id) => `t${id}`),
      spoken: column(2).map((id) => `token ${id}`),
      kind: rows.map(() => "text"),
    },
    logProbabilities: Float64Array.from(column(3)),
    sums: Float64Array.from(column(4)),
    scores: Float64Array.from(rows.map((row) => row[4] / (row[0] + 1))),
    fates: Uint8Array.from(column(5)),
  };
}
const rows = [
  [0, 0, 5, -0.5, -0.5, 1],
  [0, 0, 6, -1, -1, 1],
  [0, 0, 7, -2, -2, 0],
  [1, 1, 8, -0.25, -0.75, 1],
  [1, 2, 9, -0.5, -1.5, 0],
  [1, 1, 4, -1.5, -2, 1],
  [2, 4, 3, -0.25, -1, 1],
  [2, 6, 2, -0.5, -2.5, 2],
];
const whole = treeOf(rows);
/** @type {BeamSequence[]} */
const sequences = [
  { newIds: Uint32Array.of(5, 8, 3), text: "a", score: -0.3333, sum: -1, stopReason: "maxNewTokens", leaf: 6 },
  { newIds: Uint32Array.of(5, 4, 2), text: "b", score: -0.8333, sum: -2.5, stopReason: "endToken", leaf: 7 },
];
const searching = update(prepared, { type: "beamsSent", beams: 2 });
const runId = searching.beams.runId ?? 0;
const answer = { method: /** @type {const} */ ("beam"), result: { sequences, tree: whole, forwardCalls: 3 } };
const found = update(searching, from(1, { type: "answered", runId, answer }));

test("parts_of_a_tree_become_the_whole", () => {
  const parts = [rows.slice(0, 3), rows.slice(3, 6), rows.slice(6)];
  const events = parts.map((part) => from(1, { type: /** @type {const} */ ("beamStepped"), runId, tree: treeOf(part) }));
  assert.deepEqual(replay(searching, ...events).beams.tree, whole);
  const other = from(1, { type: "beamStepped", runId: runId + 7, tree: whole });
  assert.equal(update(searching, other), searching, "of another search");
});

test("pieces_know_what_was_dropped_and_the_winning_path_is_marked", () => {
  const tree = beamTree(found.beams, () => {});
  const facts = allNodes(tree).map(({ tokens, marked, dropped, tags }) => ({
    ids: tokens.map(({ shown }) => shown).join(),
    marked,
    dropped: dropped.map(({ token }) => token.shown).join(),
    tags: tags.join(),
  }));
  assert.deepEqual(facts, [
    { ids: "", marked: true, dropped: "t7", tags: "" },
    { ids: "t5", marked: true, dropped: "", tags: "" },
    { ids: "t8,t3", marked: true, dropped: "", tags: "best text" },
    { ids: "t4,t2", marked: false, dropped: "", tags: "returned, place 2,finished" },
    { ids: "t6", marked: false, dropped: "t9", tags: "all that follows dropped" },
  ]);
  assert.deepEqual(pathTo(whole, 6), [0, 3, 6]);
  assert.match(beamSentence(found.beams), /^3 steps with 2 beams: 5 continuations kept, 2 dropped, 1 finished\./);
});

test("a_text_that_was_found_becomes_a_text_of_the_page", () => {
  const text = textOfSequence(found, sequences[1]);
  assert.deepEqual(stepsOf(text).map(({ id, index, rank, byHand }) => [id, index, rank, byHand]), [
    [5, 0, 0, true],
    [4, 1, 1, true],
    [2, 2, 0, true],
  ]);
  assert.equal(stepsOf(text)[1].probability, Math.exp(-1.5));
  assert.equal(text?.reason, "endToken");
  assert.equal(textOfSequence(update(found, { type: "promptEdited", text: "Twice" }), sequences[0]), null);
});

test("one_beam_is_held_against_greedy_decoding", () => {
  const one = update(prepared, { type: "beamsSent", beams: 1 });
  const greedyId = one.beams.greedy?.runId ?? 0;
  assert.equal(one.lastRunId, greedyId, "both have numbers of their own");
  const result = /** @type {any} */ ({ newIds: Uint32Array.of(5, 8, 3) });
  const both = replay(
    one,
    from(1, { type: "answered", runId: one.beams.runId ?? 0, answer }),
    from(1, { type: "answered", runId: greedyId, answer: { method: "generate", result } }),
  );
  assert.match(beamSentence(both.beams), /greedy, run beside it, gives the same 3 tokens/);
  const other = { ...both.beams, greedy: { runId: greedyId, ids: [5, 8] } };
  assert.match(beamSentence(other), /gives other tokens/);
});

test("a_search_that_fails_or_loses_its_engine_is_over", () => {
  const error = { code: /** @type {const} */ ("context"), message: "Too long.", details: { subject: null, expected: null, found: null } };
  const failed = update(searching, from(1, { type: "failed", runId, revision: null, error }));
  assert.equal(failed.beams.runId, null);
  assert.equal(failed.problems.length, 1);
  const crashed = update(searching, from(1, { type: "crashed", error: { code: "crashed", message: "Gone.", details: {} } }));
  assert.equal(crashed.beams.runId, null);
});

test("the_end_of_a_search_is_announced_with_how_many_texts_it_found", () => {
  /** @type {(state: any, before: any) => void} */
  let changed = () => {};
  /** @type {any[]} */
  const events = [];
  createBeamActions(
    /** @type {any} */ ({ dispatch: (/** @type {any} */ event) => events.push(event), eachChange: (/** @type {any} */ listener) => (changed = listener) }),
  );
  const searching = { beams: { runId: 7, sequences: null } };
  changed({ beams: { runId: 7, sequences: null } }, { beams: { runId: null, sequences: null } });
  changed({ beams: { runId: null, sequences: null } }, searching);
  assert.deepEqual(events, [], "neither a search that begins nor one that is refused has found anything");
  changed({ beams: { runId: null, sequences: [{}, {}] } }, searching);
  changed({ beams: { runId: null, sequences: [] } }, searching);
  assert.deepEqual(
    events.map(({ text }) => text),
    ["Beam search ended: 2 texts.", "Beam search ended: no text."],
  );
});

test("fields_that_mean_nothing_say_so_and_texts_returned_keep_below_the_beams", () => {
  const { fields } = prepared.beams;
  assert.deepEqual(readBeamFields({ ...fields, lengthPenalty: "0,5", earlyStopping: "never" }), {
    options: { beams: 3, numReturn: 1, lengthPenalty: 0.5, earlyStopping: "never", maxNewTokens: 12 },
  });
  for (const bad of [{ lengthPenalty: "" }, { lengthPenalty: "x" }, { maxNewTokens: "0" }, { maxNewTokens: "1.5" }]) {
    assert.ok("fault" in readBeamFields({ ...fields, ...bad }), JSON.stringify(bad));
  }
  const set = (/** @type {"beams" | "numReturn"} */ name, /** @type {string} */ value) => ({
    type: /** @type {const} */ ("beamFieldSet"),
    name,
    value,
  });
  const fewer = replay(prepared, set("beams", "5"), set("numReturn", "4"), set("beams", "2"));
  assert.equal(fewer.beams.fields.numReturn, "2");
});
