/**
 * Loading Pythia-14M's shape from a stand-in of the hub: LOGIT_LAB_STAND_IN is a file of exactly its weights' length
 * (`cargo run -p logit-lab-tests --bin make-stand-in -- FILE`). The tests speak to a worker as the page does, so that
 * they see every event.
 */
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { lacks } from "./engines/engine.mjs";
import { DAMAGE_COPY, LOAD, noStandIn, openLabWithHub, openPage, WEIGHTS_BYTES } from "./harness.mjs";

/** Where there are none, what is said of a body in pieces is not checked. */
const noPieces = lacks("bodyInPieces");
const TOTAL_BYTES = WEIGHTS_BYTES + 2_114_042 + 698;

describe("loading from the hub", { skip: noStandIn }, () => {
  /** @type {Awaited<ReturnType<typeof openLabWithHub>>} */
  let lab;
  /** @type {import("../../www/src/messages.js").CatalogueEntry} */
  let entry;
  before(async () => {
    lab = await openLabWithHub();
    ({ entry } = lab);
    await openPage(lab.browser, lab.server.url);
  });
  after(() => lab?.close());

  beforeEach(async () => {
    lab.server.faults.length = 0;
    lab.server.requests.length = 0;
    await lab.browser.run("await caches.delete('logit-lab-models');");
  });

  /** @param {object} [more] */
  const load = (more = {}) => lab.browser.run(LOAD, { source: sourceFrom("hub"), ...more });
  const sourceFrom = (/** @type {"hub" | "store"} */ from) => ({
    kind: "catalogue",
    entry,
    from,
    base: `${lab.server.origin}/hub/${entry.hub?.repository}/resolve/${entry.hub?.revision}/`,
  });
  const askedForWeights = () => lab.server.requests.filter(({ path }) => path.endsWith("model.safetensors")).length;

  test("progress_counts_bytes_and_the_loaded_model_generates", async () => {
    lab.server.misbehave({ at: "model.safetensors", bytesPerSecond: 14_000_000 });
    const call = {
      method: "generate",
      prompt: { text: "The cat sat" },
      settings: {},
      seed: 1,
      limits: { maxNewTokens: 4, ignoreEos: true },
    };
    const { events, ended, answer } = await load({ call });
    assert.equal(ended.type, "loaded", ended.error?.message);
    assert.equal(ended.model.origin, "hub");
    assert.equal(ended.model.kept, true);
    assert.deepEqual(ended.model.warnings, []);
    assert.ok(ended.model.files.every((/** @type {any} */ file) => file.check === "equal"));
    assert.equal(answer.answer?.result.newIds.length, 4, answer.error?.message);

    const downloading = events.filter((/** @type {any} */ event) => event.phase === "downloading");
    assert.ok(downloading.every((/** @type {any} */ event) => event.totalBytes === TOTAL_BYTES));
    const least = noPieces ? 2 : 8;
    assert.ok(downloading.length >= least && downloading.length <= 45, `${downloading.length} reports`);
    assert.ok(
      downloading.every(
        (/** @type {any} */ event, /** @type {number} */ n) =>
          n === 0 || event.loadedBytes >= downloading[n - 1].loadedBytes,
      ),
    );
    const rate = downloading.at(-1).bytesPerSecond;
    assert.ok(rate > 3_000_000 && rate < 20_000_000, `${rate} bytes a second`);
    assert.equal(events.at(-1).phase, "starting");
    assert.equal(events.at(-1).loadedBytes, TOTAL_BYTES);
  });

  test("a_kept_copy_is_loaded_without_the_hub_and_a_damaged_one_is_fetched_again", { skip: lacks("keptStore") }, async () => {
    assert.equal((await load()).ended.type, "loaded");
    assert.equal(askedForWeights(), 1);
    const { ended } = await load({ source: sourceFrom("store") });
    assert.equal(ended.model?.origin, "store", ended.error?.message);
    assert.equal(askedForWeights(), 1);

    await lab.browser.run(DAMAGE_COPY, entry.files["model.safetensors"].sha256);
    const repaired = await load({ source: sourceFrom("store") });
    assert.equal(repaired.ended.model?.origin, "hub", repaired.ended.error?.message);
    assert.equal(askedForWeights(), 2);
  });

  test("memory_holds_the_weights_once_and_their_copy_for_the_readable_kernel", async () => {
    const { ended } = await load();
    assert.equal(ended.type, "loaded", ended.error?.message);
    const { kernel, memory } = ended.model.card;
    // The weights as they are stored (28 MB), the tokenizer with what reading it took for a moment (16 MB), and for
    // candle another copy in f32 (56 MB), some of which fits where the tokenizer was read.
    const most = kernel === "candle" ? 100_000_000 : 75_000_000;
    assert.ok(memory.wasmBytes < most, `${memory.wasmBytes} bytes on ${kernel}`);
  });

  test("weights_with_a_wrong_digest_leave_nothing_in_the_store", async () => {
    lab.server.misbehave({ at: "model.safetensors", flipByte: 20_000_000 });
    assert.equal((await load()).ended.error?.code, "wrongDigest");
    const keys = await lab.browser.run(
      "return (await (await caches.open('logit-lab-models')).keys()).map(({ url }) => url);",
    );
    assert.deepEqual(keys, []);
  });

  /** @param {Omit<import("./server.mjs").Fault, "at">[]} faults one after the other */
  const misbehave = (...faults) => {
    for (const fault of faults) lab.server.misbehave({ at: "model.safetensors", times: 1, ...fault });
  };
  const partsAskedFor = () =>
    lab.server.requests.filter(({ path }) => path.endsWith("model.safetensors")).map(({ range }) => range !== null);
  const kept = () =>
    lab.browser.run("return (await (await caches.open('logit-lab-models')).keys()).map(({ url }) => url);");

  const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\n";
  const lasting = [
    { name: "a_wrong_digest", fault: { flipByte: 20_000_000 }, code: "wrongDigest" },
    { name: "a_missing_file", fault: { status: 404 }, code: "httpStatus" },
    { name: "a_page_in_place_of_the_file", fault: { html: true }, code: "wrongBody" },
    { name: "a_pointer_in_place_of_the_file", fault: { body: pointer }, code: "wrongBody" },
    { name: "a_shorter_file", fault: { body: Buffer.alloc(1_000_000) }, code: "wrongBody" },
    { name: "a_longer_file", fault: { body: Buffer.alloc(29_000_000) }, code: "wrongBody" },
    { name: "a_body_that_ends_early", fault: { endAfter: 1_000_000 }, code: "wrongBody" },
    { name: "a_host_that_wants_an_hour", fault: { status: 429, retryAfter: "3600" }, code: "httpStatus" },
  ];
  for (const { name, fault, code } of lasting) {
    test(`${name}_is_a_sentence_with_a_code_and_the_next_attempt_works`, async () => {
      lab.server.misbehave({ at: "model.safetensors", ...fault });
      const { ended } = await load();
      assert.equal(ended.type, "loadFailed", ended.error?.message);
      assert.equal(ended.error.code, code, ended.error.message);
      assert.match(ended.error.message, /model\.safetensors.*\.$/);
      assert.deepEqual(await kept(), []);
      assert.ok(askedForWeights() <= 2);
      const tales = await lab.browser.run(
        "return await logitLab.generate({ prompt: 'Once', maxNewTokens: 3, ignoreEos: true });",
      );
      assert.equal(tales.newIds.length, 3);
      lab.server.faults.length = 0;
      assert.equal((await load()).ended.type, "loaded");
    });
  }

  const half = WEIGHTS_BYTES / 2;
  const passing = [
    { name: "an_error_status_twice", faults: [{ status: 500 }, { status: 503 }], parts: [false, false, false] },
    { name: "too_many_requests", faults: [{ status: 429, retryAfter: "1" }], parts: [false, false] },
    { name: "a_host_that_hangs_up", faults: [{ hangUp: true }], parts: [false, false] },
    { name: "a_page_once", faults: [{ html: true }], parts: [false, false] },
    { name: "a_damaged_file_once", faults: [{ flipByte: 20_000_000 }], parts: [false, false] },
    { name: "a_connection_cut_twice", faults: [{ cutAfter: half }, { cutAfter: half / 2 }], parts: [false, true, true] },
    { name: "a_cut_on_a_host_without_ranges", faults: [{ cutAfter: half }, { noRange: true }], parts: [false, true, false] },
    { name: "a_cut_and_another_version", faults: [{ cutAfter: half }, { etag: '"new"' }], parts: [false, true, false] },
    { name: "a_body_shorter_than_announced", faults: [{ body: Buffer.alloc(half), announce: WEIGHTS_BYTES, cutAfter: half }] },
    { name: "a_compressed_body", faults: [{ gzip: true }], parts: [false] },
    { name: "a_cut_compressed_body", faults: [{ gzip: true, cutAfter: half }], parts: [false, false] },
  ];
  for (const { name, faults, parts } of passing) {
    test(`${name}_is_overcome_without_a_word`, async () => {
      misbehave(...faults);
      const { ended, events } = await load();
      assert.equal(ended.type, "loaded", ended.error?.message);
      assert.equal(ended.model.kept, true);
      assert.equal(events.at(-1).loadedBytes, TOTAL_BYTES);
      if (parts && !noPieces) assert.deepEqual(partsAskedFor(), parts);
    });
  }

  test("a_page_in_place_of_a_small_file_is_named_and_not_kept", async () => {
    for (const name of ["tokenizer.json", "config.json"]) {
      lab.server.faults.length = 0;
      lab.server.misbehave({ at: new RegExp(`^/hub/.*${name}$`), html: true });
      const { ended } = await load();
      assert.match(ended.error?.message, new RegExp(`answered with a web page in place of ${name}\\.$`));
      assert.deepEqual(await kept(), []);
    }
  });

  test("how_long_until_the_next_attempt_is_told_every_second", async () => {
    misbehave({ status: 429, retryAfter: "2" });
    const { events } = await load();
    const told = events.map((/** @type {any} */ event) => event.retryInMs).filter((/** @type {any} */ ms) => ms !== null);
    assert.ok(told.length >= 2 && told[0] >= 2000, JSON.stringify(told));
    // A further wait begins when the one before has run out, where another attempt fails.
    const isSecondLess = (/** @type {number} */ ms, /** @type {number} */ before) => Math.abs(before - 1000 - ms) < 0.001;
    const goesOn = (/** @type {number} */ ms, /** @type {number} */ n) => n === 0 || told[n - 1] <= 1000 || isSecondLess(ms, told[n - 1]);
    assert.ok(told.every(goesOn), JSON.stringify(told));
  });

  test("a_wrong_length_is_seen_before_much_is_read", async () => {
    lab.server.misbehave({ at: "model.safetensors", body: Buffer.alloc(60_000_000), bytesPerSecond: 5_000_000 });
    assert.equal((await load()).ended.error?.code, "wrongBody");
    const request = lab.server.requests.find(({ path }) => path.endsWith("model.safetensors"));
    assert.ok((request?.bytesSent ?? Infinity) < 10_000_000);
  });

  test("cancel_stops_the_transfer", async () => {
    lab.server.misbehave({ at: "model.safetensors", bytesPerSecond: 4_000_000 });
    const { ended } = await load({ cancelAfterBytes: 4_000_000 });
    assert.equal(ended.type, "loadCancelled");
    const sent = () => lab.server.requests.find(({ path }) => path.endsWith("model.safetensors"))?.bytesSent ?? 0;
    await lab.browser.waitFor("the transfer to end", async () => {
      const before = sent();
      await new Promise((resolve) => setTimeout(resolve, 300));
      return sent() === before;
    });
    assert.ok(sent() < WEIGHTS_BYTES / 2);
  });

  test("the_console_loads_and_switches_to_the_model", async () => {
    const report = await lab.browser.run("return await logitLab.loadModel({ model: 'pythia-14m' });");
    assert.equal(report.dtype, "F16");
    assert.equal(report.bytes, WEIGHTS_BYTES);
    assert.deepEqual((await lab.browser.run("return await logitLab.tokenize('The cat sat');")).ids, [510, 5798, 2206]);
    assert.equal((await lab.browser.run("return await logitLab.logits({ ids: [510] });")).length, 50_304);
  });
});
