/** Loads that meet trouble on the way, and copies that several tabs write, read and leave behind. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { loadModel } from "../../www/src/models/loader.js";
import { ModelStore } from "../../www/src/models/store.js";
import { verifyCopy } from "../../www/src/models/verify.js";
import { brokenHost, catalogueEntry, fakeCaches, fakeClock, fakeEngine, Sha256, sha256 } from "./fakes.mjs";

/** @import { CatalogueEntry } from "../../www/src/messages.js" */

const weights = new Uint8Array(3_000_000).map((_, n) => (n * 7919) >> 5);
const small = { "config.json": "{}", "tokenizer.json": '{"model":{}}' };
const text = (/** @type {string} */ name) => new TextEncoder().encode(small[/** @type {keyof typeof small} */ (name)]);
const entry = catalogueEntry({ "config.json": text("config.json"), "tokenizer.json": text("tokenizer.json"), "model.safetensors": weights });

/**
 * @param {Parameters<typeof brokenHost>[1]} attempts what the host does with each question for the weights
 * @param {{ store?: ModelStore, from?: "hub" | "store", entry?: CatalogueEntry }} [more]
 */
async function load(attempts, { store = storeIn(), from = "hub", entry: of = entry } = {}) {
  const host = brokenHost(weights, attempts);
  /** @type {typeof globalThis.fetch} */
  const fetch = async (input, init) => {
    const name = String(input).split("/").at(-1) ?? "";
    return name in small ? new Response(text(name)) : host.fetch(input, init);
  };
  const { engine, given, abandoned, isLoading } = fakeEngine();
  /** @type {any[]} */
  const reports = [];
  const source = { kind: /** @type {const} */ ("catalogue"), entry: of, from, base: "https://hub.example/" };
  const { signal } = new AbortController();
  const context = { engine, Sha256, signal, pause: async () => {}, fetch, store, clock: fakeClock().clock };
  const loading = loadModel(source, {}, { ...context, report: (report) => reports.push(report) });
  const model = await loading.finally(() => assert.equal(isLoading(), false));
  return { model, reports, asked: host.asked, abandoned: abandoned(), weights: given[0][2][0].bytes };
}

/** @param {ReturnType<typeof fakeCaches>} [caches] @param {any} [locks] */
function storeIn(caches, locks) {
  return new ModelStore(caches?.caches, "https://page.example", locks);
}

/** What the page needs of navigator.locks, for several tabs in one process. */
function fakeLocks() {
  let shared = 0;
  let exclusive = false;
  /** The lock that is waited for, and not asked for only where it is free. */
  let before = Promise.resolve();
  return {
    /** @param {string} _ @param {any[]} rest the options, if there are any, and the work */
    async request(_, ...rest) {
      const [work, options] = rest.reverse();
      if (options === undefined) return (before = before.then(work));
      const { mode } = options;
      if (exclusive || (mode === "exclusive" && shared > 0)) return work(null);
      if (mode === "shared") shared += 1;
      else exclusive = true;
      try {
        return await work({});
      } finally {
        if (mode === "shared") shared -= 1;
        else exclusive = false;
      }
    },
  };
}

test("the_store_is_opened_by_one_at_a_time", async () => {
  const { caches } = fakeCaches();
  let opening = 0;
  let most = 0;
  const slow = {
    ...caches,
    /** @param {string} name */
    async open(name) {
      most = Math.max(most, (opening += 1));
      await new Promise((resolve) => setImmediate(resolve));
      opening -= 1;
      return caches.open(name);
    },
  };
  const locks = fakeLocks();
  const stores = [1, 2, 3].map(() => storeIn(/** @type {any} */ ({ caches: slow }), locks));
  assert.deepEqual(await Promise.all(stores.map((store) => store.list())), [[], [], []]);
  assert.equal(most, 1);
});

test("the_engine_goes_on_with_the_next_byte_of_a_broken_download", async () => {
  const caches = fakeCaches();
  const { model, asked, abandoned, reports, weights: taken } = await load([{ cutAfter: 1_000_000 }, {}], {
    store: storeIn(caches),
  });
  assert.deepEqual(taken, weights);
  assert.deepEqual([model.kept, abandoned, asked.length, asked[1].range], [true, 0, 2, "bytes=1000000-"]);
  assert.ok(reports.some(({ retryInMs }) => retryInMs === 500));
  assert.equal(reports.at(-1).retryInMs, null);
  assert.equal(reports.at(-1).loadedBytes, reports.at(-1).totalBytes);
});

test("a_file_that_changed_meanwhile_begins_again_in_engine_and_store", async () => {
  const caches = fakeCaches();
  const attempts = [{ cutAfter: 1_000_000, body: weights.map((byte) => ~byte) }, { noRange: true }, {}];
  const { model, abandoned, asked, weights: taken } = await load(attempts, { store: storeIn(caches) });
  assert.deepEqual(taken, weights);
  assert.deepEqual([model.kept, abandoned, asked.length], [true, 1, 3]);
  assert.equal(caches.entries.size, 4, "three files and their record");
  await assert.rejects(load([{ cutAfter: 1_000_000, noRange: true }]), { code: "unreachable", message: /broke off/ });
});

test("what_came_damaged_is_fetched_again_once_past_every_cache_and_then_reported", async () => {
  /** @type {Parameters<typeof brokenHost>[1][number]} */
  const page = { headers: { "content-type": "text/html" } };
  const damaged = weights.map((byte, n) => (n === 5 ? ~byte : byte));
  for (const bad of [page, { body: damaged }, { body: weights.slice(9) }, { body: new Uint8Array(4_000_000) }]) {
    const { model, asked, weights: taken } = await load([bad, {}]);
    assert.deepEqual(taken, weights);
    assert.deepEqual([model.origin, asked[0].cache, asked[1].cache], ["hub", "no-store", "reload"]);
    const caches = fakeCaches();
    await assert.rejects(load([bad], { store: storeIn(caches) }), { code: bad.body === damaged ? "wrongDigest" : "wrongBody" });
    assert.equal(caches.entries.size, 0);
  }
});

test("why_a_model_is_not_kept_is_said_and_it_runs_all_the_same", async () => {
  const failing = (/** @type {string} */ name) => async () => Promise.reject(new DOMException("no", name));
  /** A store whose put fails after the first megabyte. */
  const fullSoon = {
    ...(await fakeCaches().caches.open("")),
    /** @param {string} _ @param {Response} response */
    async put(_, response) {
      const reader = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader();
      for (let bytes = 0; bytes < 1_000_000; ) bytes += (await reader.read()).value?.length ?? 1_000_000;
      throw new DOMException("full", "QuotaExceededError");
    },
  };
  /** @type {[any, string][]} */
  const cases = [
    [undefined, "missing"],
    [{ open: failing("SecurityError") }, "refused"],
    [{ open: async () => fullSoon }, "full"],
    [{ open: failing("UnknownError") }, "failed"],
  ];
  for (const [caches, trouble] of cases) {
    const store = new ModelStore(caches, "https://page.example", undefined);
    const { model, weights: taken } = await load([{}], { store });
    assert.deepEqual([model.kept, model.notKept], [false, trouble]);
    assert.deepEqual(taken, weights);
  }
});

test("a_store_that_cannot_be_read_sends_the_load_to_the_source", async () => {
  const caches = fakeCaches();
  await load([{}], { store: storeIn(caches) });
  const cache = await caches.caches.open("");
  const unreadable = new Response(new ReadableStream({ pull: (controller) => controller.error(new Error("disk")) }));
  const match = async (/** @type {string} */ key) =>
    key.includes(entry.files["model.safetensors"].sha256) ? unreadable : cache.match(key);
  const broken = /** @type {any} */ ({ open: async () => ({ ...cache, match }) });
  const { model } = await load([{}], { store: new ModelStore(broken, "https://page.example"), from: "store" });
  assert.equal(model.origin, "hub");
});

test("a_model_that_ships_with_the_page_is_not_kept_twice", async () => {
  const caches = fakeCaches();
  const { model } = await load([{}], { store: storeIn(caches), entry: { ...entry, bundled: true } });
  assert.deepEqual([model.kept, model.notKept, caches.entries.size], [false, null, 0]);
});

test("two_tabs_that_save_the_same_model_leave_one_whole_copy", async () => {
  const caches = fakeCaches();
  const locks = fakeLocks();
  const loads = [1, 2].map(() => load([{}], { store: storeIn(caches, locks) }));
  for (const { model } of await Promise.all(loads)) assert.equal(model.kept, true);
  const store = storeIn(caches, locks);
  await store.sweep();
  assert.equal(caches.entries.size, 4);
  assert.equal((await load([{ status: 404 }], { store, from: "store" })).model.origin, "store");
});

test("what_a_closed_tab_left_is_swept_but_not_while_a_tab_is_writing", async () => {
  const caches = fakeCaches();
  const store = storeIn(caches, fakeLocks());
  await load([{}], { store });
  await store.put(store.newKey("00"), new Uint8Array(9), 9);
  await store.put("https://page.example/logit-lab-models/record/damaged", "{", 1);
  const written = await store.writing();
  await store.sweep();
  assert.equal(caches.entries.size, 6);
  written();
  await new Promise((resolve) => setImmediate(resolve));
  await store.sweep();
  assert.equal(caches.entries.size, 4);
  assert.equal(await store.has(entry), true);
});

test("a_record_is_written_only_when_all_its_files_are_there", async () => {
  const caches = fakeCaches();
  const store = storeIn(caches);
  const files = { "config.json": { bytes: 2, sha256: "00", key: store.newKey("00") } };
  assert.equal(await store.publish({ id: "some-model", title: "Some model", savedMs: 0, files }), false);
  assert.equal(caches.entries.size, 0);
});

test("the_list_and_the_verification_say_what_is_kept", async () => {
  const caches = fakeCaches();
  const store = storeIn(caches);
  await load([{}], { store });
  const [record, ...others] = await store.list();
  assert.deepEqual([record.id, record.title, record.savedMs, others.length], ["some-model", "Some model", Date.UTC(2026, 0, 1), 0]);
  assert.equal(record.files["model.safetensors"].bytes, weights.length);
  const verify = async () => verifyCopy((await store.open("some-model")) ?? [], Sha256, () => {});
  assert.deepEqual(await verify(), { state: "sound" });
  caches.entries.set(record.files["tokenizer.json"].key, new Uint8Array(5).buffer);
  assert.deepEqual(await verify(), { state: "damaged", file: "tokenizer.json" });
  await store.drop("some-model");
  assert.deepEqual([await store.list(), caches.entries.size], [[], 0]);
});
