import assert from "node:assert/strict";
import { test } from "node:test";
import { createEngineClient } from "../../www/src/engine-client.js";
import { createPacer } from "../../www/src/pace.js";
import { createStore } from "../../www/src/store.js";
import { prepared, source } from "./recorded.mjs";

/** @import { FromWorker } from "../../www/src/messages.js" */
/** @import { WorkerLike } from "../../www/src/engine-client.js" */

/** A worker that records what it is sent and says what the test wants. */
class FakeWorker {
  /** @type {any[]} */
  received = [];
  terminated = false;
  /** @type {Record<string, (event: any) => void>} */
  listeners = {};
  /** @param {string} type @param {any} listener */
  addEventListener(type, listener) {
    this.listeners[type] = listener;
  }
  /** @param {any} message */
  postMessage(message) {
    this.received.push(message);
  }
  terminate() {
    this.terminated = true;
  }
  /** @param {any} data */
  says(data) {
    this.listeners.message({ data });
  }
}

function setUp() {
  /** @type {FakeWorker[]} */
  const workers = [];
  /** @type {FromWorker[]} */
  const heard = [];
  /** @type {object[]} */
  const asked = [];
  let tick = () => {};
  const createWorker = (/** @type {object} */ options) => {
    asked.push(options);
    workers.push(new FakeWorker());
    return /** @type {WorkerLike} */ (/** @type {unknown} */ (workers.at(-1)));
  };
  const client = createEngineClient(createWorker, (work) => (tick = work));
  client.listen((message) => heard.push(message));
  return { tick: () => tick(), client, workers, asked, heard, types: () => heard.map(({ event }) => event.type) };
}

test("load_waits_until_the_worker_is_ready", () => {
  const { client, workers } = setUp();
  const id = client.start(source);
  assert.deepEqual(workers[0].received, []);
  workers[0].says({ type: "ready" });
  assert.deepEqual(workers[0].received, [{ type: "load", loadId: id, source, options: {} }]);
});

test("the_choice_of_engine_reaches_the_worker_at_its_start_and_with_the_load", () => {
  const { client, workers, asked } = setUp();
  client.start(source, { simd: "relaxed" });
  assert.deepEqual(asked, [{ simd: "relaxed" }]);
  workers[0].says({ type: "ready" });
  assert.deepEqual(workers[0].received[0].options, { simd: "relaxed" });
});

test("commands_go_to_the_active_worker_and_the_one_before_ends", () => {
  const { client, workers } = setUp();
  const [first, second] = [client.start(source), client.start(source)];
  client.activate(first);
  client.send({ type: "stop", runId: 1 });
  client.activate(second);
  client.send({ type: "stop", runId: 2 });
  assert.equal(workers[0].terminated, true);
  assert.deepEqual(
    workers.map(({ received }) => received),
    [[{ type: "stop", runId: 1 }], [{ type: "stop", runId: 2 }]],
  );
});

test("a_crashed_worker_is_ended_and_never_heard_again", () => {
  const { client, workers, types } = setUp();
  client.activate(client.start(source));
  workers[0].says({ type: "ready" });
  workers[0].listeners.error({ message: "unreachable executed" });
  assert.equal(workers[0].terminated, true);
  workers[0].says({ type: "stopped" });
  workers[0].listeners.error({ message: "again" });
  client.send({ type: "stop", runId: 1 });
  assert.deepEqual(types(), ["ready", "crashed"]);
});

test("a_worker_that_answers_no_ping_any_more_counts_as_crashed", () => {
  const { client, workers, heard, types, tick } = setUp();
  client.start(source);
  // Its code may take any time to arrive.
  for (let n = 0; n < 20; n += 1) tick();
  workers[0].says({ type: "ready" });
  for (let n = 0; n < 20; n += 1) {
    tick();
    assert.deepEqual(workers[0].received.at(-1), { type: "ping" });
    workers[0].says({ type: "pong" });
  }
  assert.deepEqual(types(), ["ready"], "answers go no further");
  for (let n = 0; n < 7; n += 1) tick();
  assert.deepEqual([types(), workers[0].terminated], [["ready", "crashed"], true]);
  assert.ok(heard[1].event.type === "crashed" && heard[1].event.error.code === "crashed");
});

test("a_worker_that_never_gets_ready_could_not_be_started", () => {
  const { client, workers, heard } = setUp();
  client.start(source);
  workers[0].listeners.error({});
  assert.ok(heard[0].event.type === "crashed" && heard[0].event.error.code === "workerStart");
});

test("many_changes_in_a_frame_are_drawn_once", () => {
  /** @type {(() => void)[]} */
  const frames = [];
  const store = createStore(
    0,
    (/** @type {number} */ state, /** @type {number} */ event) => state + event,
    (callback) => frames.push(callback),
  );
  /** @type {number[]} */
  const drawn = [];
  store.eachFrame((state) => drawn.push(state));
  store.dispatch(1);
  store.dispatch(2);
  store.dispatch(0);
  assert.equal(frames.length, 1);
  frames[0]();
  assert.deepEqual(drawn, [3]);
});

test("three_a_second_asks_for_a_token_after_a_third_of_a_second", (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  let asked = 0;
  const follow = createPacer({ dispatch() {}, advance: () => asked++ });
  const waiting = { runId: 1, status: /** @type {const} */ ("running"), paced: true, waiting: true };
  follow({ ...prepared, pace: "three", run: waiting });
  context.mock.timers.tick(400);
  assert.equal(asked, 1);
  follow({ ...prepared, pace: "three", run: waiting });
  follow({ ...prepared, pace: "step", run: waiting });
  context.mock.timers.tick(1000);
  assert.equal(asked, 1, "a pause takes the next token back");
});
