/** The precision panel: how what is typed is read, and what the engine is asked. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createPrecisionActions, precisionOf } from "../../www/src/precision/actions.js";
import { initialPrecision, parseList, parseNumber, parseWhole } from "../../www/src/precision/state.js";

test("a_number_is_read_as_one_writes_it", () => {
  for (const [text, value] of /** @type {[string, number][]} */ ([
    ["0.1", 0.1],
    [" −3e-5 ", -3e-5],
    [".5", 0.5],
    ["1/3", 1 / 3],
    ["1025/1024", 1 + 2 ** -10],
    ["2^-14", 2 ** -14],
    ["-2^3", -8],
    ["-infinity", -Infinity],
    ["1e400", Infinity],
    ["0,125", 0.125],
    ["-1,5", -1.5],
  ]))
    assert.equal(parseNumber(text), value, text);
  for (const text of ["", "x", "1/0", "1/2/3", "0x10", "2^", "70,000", "1,2,3", "--1"]) assert.equal(parseNumber(text), null, text);
});

test("a_whole_number_may_have_commas_or_be_a_power_of_two", () => {
  assert.deepEqual(["1048576", "1,048,576", "1.048.576", "1 048 576", "2^20", "0"].map(parseWhole), [...Array(5).fill(2 ** 20), 0]);
  for (const text of ["", "-1", "1.5", "2^64", "many"]) assert.equal(parseWhole(text), null, text);
});

test("a_list_is_apart_by_spaces_commas_or_lines_and_names_what_is_no_number", () => {
  assert.deepEqual(parseList("1, -2\n3;1/4").values, [1, -2, 3, 0.25]);
  assert.equal(parseList("1 two 3").wrong, "two");
  assert.equal(parseList("1 1e999").wrong, "1e999");
  assert.equal(parseList(initialPrecision.blocks.typed).values.length, 16);
});

/** A page with a worker that answers when it is told to. */
function fakePage() {
  /** @type {any} */
  let state = { activeWorkerId: 1, precisionLab: null, model: { title: "M", card: {} } };
  /** @type {any[]} */
  const sent = [];
  /** @type {((message: any) => void)[]} */
  const listeners = [];
  const actions = createPrecisionActions(
    /** @type {any} */ ({
      getState: () => state,
      dispatch: (/** @type {any} */ event) => {
        if (event.type === "labChanged") state = { ...state, [event.name]: event.value };
      },
      eachChange: () => {},
      client: {
        listen: (/** @type {any} */ listener) => listeners.push(listener),
        send: (/** @type {any} */ command) => sent.push(command),
      },
      actions: {},
    }),
  );
  return {
    actions,
    sent,
    lab: () => precisionOf(state),
    /** @param {any} command @param {object} answer */
    async answer({ runId, call: { method } }, answer) {
      for (const listener of listeners)
        listener({ workerId: 1, event: { type: "answered", runId, answer: { method, ...answer } } });
      await new Promise(setImmediate);
    },
  };
}

test("the_panel_asks_at_once_and_an_answer_to_an_older_number_is_dropped", async () => {
  const page = fakePage();
  await new Promise(setImmediate);
  const methods = page.sent.map(({ call }) => call.method);
  assert.deepEqual(methods, ["fiveMeanings", "describeNumber", "quantizeBlock", "packedBytes"]);
  assert.deepEqual(page.sent[3].call, { method: "packedBytes", weights: 2 ** 20, codeBits: 4, group: 64, scaleBytes: 2 });
  page.actions.changeNumber({ typed: "1/4" });
  await new Promise(setImmediate);
  const newer = page.sent.at(-1);
  assert.equal(newer.call.value, 0.25);
  await page.answer(newer, { result: "new" });
  await page.answer(page.sent[1], { result: "old" });
  assert.equal(page.lab().number.result, "new");
});

test("what_cannot_be_read_is_said_and_the_engine_is_not_asked", async () => {
  const page = fakePage();
  await new Promise(setImmediate);
  const before = page.sent.length;
  page.actions.changeNumber({ typed: "one" });
  page.actions.changeBlocks({ typed: "1 two" });
  page.actions.changePacked({ group: "0.5" });
  await new Promise(setImmediate);
  assert.equal(page.sent.length, before);
  const { number, blocks, packed } = page.lab();
  assert.match(number.fault ?? "", /0\.1/);
  assert.match(blocks.fault ?? "", /two/);
  assert.match(packed.fault ?? "", /whole numbers/);
});
