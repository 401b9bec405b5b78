import assert from "node:assert/strict";
import { test } from "node:test";
import { createScripting } from "../../www/src/scripting.js";

/** @import { WorkerCommand } from "../../www/src/messages.js" */

/** The console interface on a client whose workers are played by the test. */
function playedConsole() {
  /** @type {((message: any) => void)[]} */
  const listeners = [];
  /** @type {{ command: any, workerId: number | undefined }[]} */
  const sent = [];
  /** @type {any[]} */
  const dispatched = [];
  /** @type {any[]} */
  const started = [];
  /** @type {{ activeWorkerId: number | null, loads: any[] }} */
  const state = { activeWorkerId: null, loads: [] };
  const client = {
    start(/** @type {any} */ source, /** @type {any} */ options) {
      started.push({ source, options });
      return 10 + started.length;
    },
    activate() {},
    terminate() {},
    send: (/** @type {WorkerCommand} */ command, /** @type {number | undefined} */ workerId) =>
      void sent.push({ command: structuredClone(command), workerId }),
    listen(/** @type {(message: any) => void} */ listener) {
      listeners.push(listener);
      return () => {};
    },
  };
  /** @param {number} workerId @param {any} event */
  const say = (workerId, event) => listeners.forEach((listener) => listener({ type: "worker", workerId, event }));
  /** @type {((state: any) => void)[]} */
  const watchers = [];
  /** The page puts a model to use. @param {number} workerId */
  const use = (workerId) => {
    state.activeWorkerId = workerId;
    watchers.forEach((watch) => watch(state));
  };
  const catalogue = { hub: "https://hub.example", models: [] };
  const pageUrl = new URL("https://page.example/lab/");
  const api = createScripting({
    client,
    dispatch: (event) => void dispatched.push(event),
    getState: () => state,
    eachChange: (watch) => void watchers.push(watch),
    pageUrl,
    catalogue,
  });
  /** Lets everything that can go on go on. */
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return { api, say, sent, dispatched, started, state, settle, use };
}

/** A console whose page uses the model of worker 1. */
function consoleWithModel() {
  const parts = playedConsole();
  parts.say(1, { type: "ready" });
  parts.say(1, { type: "loaded", model: {} });
  parts.state.activeWorkerId = 1;
  return parts;
}

const answered = (/** @type {number} */ runId, /** @type {any} */ answer) => ({ type: "answered", runId, answer });

test("a_model_that_computes_wrongly_is_ready_once_the_student_uses_it_all_the_same", async () => {
  const { api, say, sent, settle, use } = playedConsole();
  let ready = false;
  api.ready.then(() => (ready = true));
  say(1, { type: "ready" });
  say(1, { type: "loaded", model: { title: "Tales-2M", selfTest: { passed: false } } });
  api.generate({ prompt: "Once" });
  await settle();
  assert.deepEqual([ready, sent.length], [false, 0]);
  use(1);
  await settle();
  assert.deepEqual([ready, sent[0]?.workerId], [true, 1]);
});

test("calls_are_sent_one_at_a_time_and_matched_by_their_ids", async () => {
  const { api, say, sent, dispatched, settle } = consoleWithModel();
  const first = api.tokenize("a");
  const second = api.logits({ ids: Uint32Array.of(3, 4), cache: false, kernel: undefined });
  await settle();
  assert.deepEqual(sent, [
    { command: { type: "call", runId: 1_000_000, call: { method: "tokenize", text: "a" } }, workerId: 1 },
  ]);
  assert.deepEqual(dispatched[0], { type: "touched" });
  say(1, answered(7, { method: "tokenize", tokens: { ids: [0], text: ["wrong"] } }));
  say(1, answered(1_000_000, { method: "tokenize", tokens: { ids: [5], text: ["a"] } }));
  assert.deepEqual(await first, { ids: [5], pieces: ["a"] });
  await settle();
  assert.deepEqual(sent[1].command, {
    type: "call",
    runId: 1_000_001,
    call: { method: "logits", ids: [3, 4], cache: false },
  });
  say(1, answered(1_000_001, { method: "logits", logits: Float32Array.of(1) }));
  assert.deepEqual(await second, Float32Array.of(1));
});

test("a_call_waits_for_a_model_and_a_sampling_step_only_for_an_engine", async () => {
  const { api, say, sent, state, settle } = playedConsole();
  const step = api.sampleStep({ logits: [1, 2], seed: 3 });
  const tokens = api.tokenize("a");
  await settle();
  assert.equal(sent.length, 0);
  say(1, { type: "ready" });
  await settle();
  assert.deepEqual(
    sent.map(({ command }) => command.call.method),
    ["sampleStep"],
  );
  say(1, answered(1_000_000, { method: "sampleStep", step: { ranking: [1, 0] } }));
  assert.deepEqual(await step, { ranking: [1, 0] });
  await settle();
  assert.equal(sent.length, 1);
  say(1, { type: "loaded", model: {} });
  await api.ready;
  state.activeWorkerId = 1;
  await settle();
  say(1, answered(1_000_001, { method: "tokenize", tokens: { ids: [], text: [] } }));
  await tokens;
});

test("a_seed_is_made_up_where_none_is_given_and_an_end_token_of_null_is_sent", async () => {
  const { api, say, sent, settle } = consoleWithModel();
  const options = [{}, { seed: 9, eosId: null, stop: "x" }];
  for (const option of options) void api.generate({ prompt: "a", ...option }).catch(() => {});
  await settle();
  const { call } = sent[0].command;
  assert.ok(Number.isInteger(call.seed) && call.seed >= 0 && call.seed < 2 ** 32);
  assert.deepEqual(call.limits, { maxNewTokens: 64, stop: [], ignoreEos: false });
  say(1, answered(1_000_000, { method: "generate", result: {} }));
  await settle();
  assert.equal(sent[1].command.call.seed, 9);
  assert.deepEqual(sent[1].command.call.limits, { maxNewTokens: 64, stop: ["x"], ignoreEos: false, eosId: null });
});

test("a_callback_that_throws_stops_the_run_and_rejects_when_it_has_ended", async () => {
  const { api, say, sent, settle } = consoleWithModel();
  const onStep = () => {
    throw new Error("enough");
  };
  const run = api.generate({ ids: [1], onStep });
  await settle();
  say(1, { type: "callStepped", runId: 1_000_000, step: {} });
  say(1, { type: "callStepped", runId: 1_000_000, step: {} });
  assert.deepEqual(
    sent.slice(1).map(({ command }) => command),
    [{ type: "stop", runId: 1_000_000 }],
  );
  say(1, answered(1_000_000, { method: "generate", result: {} }));
  await assert.rejects(run, { message: "enough" });
});

test("failures_crashes_and_switches_reject_the_running_call_and_the_next_one_goes_on", async () => {
  const error = { code: "context", message: "Too long.", details: { found: "600" } };
  /** @type {[(parts: ReturnType<typeof consoleWithModel>, runId: number) => void, object][]} */
  const ends = [
    [({ say }, runId) => say(1, { type: "failed", runId, revision: null, error }), error],
    [
      ({ say }) => {
        const unread = { code: "command", message: "Unknown field.", details: {} };
        say(1, { type: "failed", runId: null, revision: null, error: unread });
      },
      { code: "command" },
    ],
    [
      ({ say, state }) => {
        state.activeWorkerId = 2;
        say(2, { type: "previewed" });
      },
      { code: "crashed" },
    ],
    [
      ({ say, state }) => {
        state.activeWorkerId = null;
        say(2, { type: "crashed", error: { ...error, code: "crashed" } });
      },
      { code: "crashed", message: "Too long." },
    ],
  ];
  const parts = consoleWithModel();
  parts.say(2, { type: "ready" });
  parts.say(2, { type: "loaded", model: {} });
  let runId = 1_000_000;
  for (const [end, expected] of ends) {
    const call = parts.api.tokenize("a");
    await parts.settle();
    end(parts, runId++);
    await assert.rejects(call, expected);
  }
  const last = parts.api.tokenize("a");
  await parts.settle();
  parts.say(1, answered(runId, { method: "tokenize", tokens: { ids: [1], text: ["a"] } }));
  assert.deepEqual((await last).ids, [1]);
});

test("without_an_engine_a_call_rejects_unless_one_is_on_its_way", async () => {
  const { api, say, state, settle } = consoleWithModel();
  state.activeWorkerId = null;
  say(1, { type: "crashed", error: { code: "crashed", message: "Gone.", details: {} } });
  await assert.rejects(api.tokenize("a"), { code: "crashed", message: "Gone." });
  state.loads = [{}];
  const call = api.tokenize("a");
  await settle();
  state.loads = [];
  say(2, { type: "loadFailed", error: { code: "unreachable", message: "No network.", details: {} } });
  await assert.rejects(call, { code: "unreachable" });
});

test("loading_a_folder_is_the_page's_affair_and_the_report_is_flat", async () => {
  const { api, say, started, dispatched, settle } = consoleWithModel();
  const load = api.loadModel({ base: "models/mine", precision: "head=int8", kvCache: "f16" });
  await settle();
  assert.deepEqual(started, [
    { source: { kind: "folder", base: "https://page.example/lab/models/mine/" }, options: { precision: "head=int8", kvCache: "f16" } },
  ]);
  const told = dispatched.at(-1);
  assert.deepEqual([told.type, told.workerId, told.activate], ["loadStarted", 11, "always"]);
  const report = { bytes: 5, dtypes: ["F16", "F32"], tensors: 2, ignored: [], converted: [] };
  say(11, { type: "loaded", model: { title: "mine", files: [], card: { vocabSize: 96, report } } });
  assert.deepEqual(await load, { title: "mine", files: [], ...report, dtype: "F16", card: { vocabSize: 96 } });

  const failing = api.loadModel({ base: "nothing" });
  await settle();
  say(12, { type: "loadFailed", error: { code: "httpStatus", message: "404", details: {} } });
  await assert.rejects(failing, { code: "httpStatus" });
});

test("wrong_arguments_are_sentences", async () => {
  const { api } = consoleWithModel();
  await assert.rejects(api.generate({}), { code: "command", message: "generate wants either a prompt or ids." });
  await assert.rejects(api.generate({ prompt: "a", ids: [1] }), { code: "command" });
  await assert.rejects(api.logits({ ids: "1" }), { code: "command", message: "ids must be an array of numbers." });
  await assert.rejects(api.beam({}), { code: "command", message: "beam wants either a prompt or ids." });
  await assert.rejects(api.loadModel({ model: "no" }), { code: "unknownModel" });
});

test("a_beam_search_returns_all_its_beams_unless_told_otherwise", async () => {
  const { api, say, sent, settle } = consoleWithModel();
  const found = api.beam({ prompt: "a", beams: 3, earlyStopping: "never", eosId: null });
  void api.beam({ ids: [1], numReturn: 1, lengthPenalty: 0, maxNewTokens: 5 }).catch(() => {});
  await settle();
  const common = { method: "beam", maxNewTokens: 64 };
  const prompt = { text: "a" };
  const first = { ...common, prompt, beams: 3, numReturn: 3, earlyStopping: "never", eosId: null };
  assert.deepEqual(sent[0].command.call, first);
  say(1, { type: "beamStepped", runId: 1_000_000, tree: {} });
  say(1, answered(1_000_000, { method: "beam", result: { sequences: [], tree: {} } }));
  assert.deepEqual(await found, { sequences: [], tree: {} });
  await settle();
  const second = { ...common, prompt: { ids: [1] }, beams: 4, numReturn: 1, lengthPenalty: 0, maxNewTokens: 5 };
  assert.deepEqual(sent[1].command.call, second);
});
