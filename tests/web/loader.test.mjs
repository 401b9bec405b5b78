import assert from "node:assert/strict";
import { test } from "node:test";
import { loadModel } from "../../www/src/models/loader.js";
import { ModelStore } from "../../www/src/models/store.js";
import { catalogueEntry, fakeCaches, fakeEngine, fakeHost, Sha256, sha256 } from "./fakes.mjs";

/** @import { ModelSource } from "../../www/src/messages.js" */

const BASE = "https://hub.example/someone/model/resolve/abc/";
const bytesOf = (/** @type {string} */ text) => new TextEncoder().encode(text);
const content = { "config.json": "{}", "tokenizer.json": '{"model":{}}', "model.safetensors": "weights" };
const entry = catalogueEntry(Object.fromEntries(Object.entries(content).map(([name, text]) => [name, bytesOf(text)])));

/** @param {Record<string, string>} files */
const at = (files, base = BASE) => Object.fromEntries(Object.entries(files).map(([name, text]) => [base + name, text]));
/** @param {"hub" | "store"} from @returns {ModelSource} */
const fromCatalogue = (from) => ({ kind: "catalogue", entry, from, base: BASE });

/**
 * @param {ModelSource} source
 * @param {Record<string, BodyInit | (() => Response)>} files
 * @param {ModelStore} [store]
 */
async function load(source, files, store = new ModelStore(undefined, "https://page.example")) {
  const host = fakeHost(files);
  const { engine, given, abandoned, isLoading } = fakeEngine();
  /** @type {any[]} */
  const reports = [];
  const context = {
    engine,
    Sha256,
    signal: new AbortController().signal,
    pause: async () => {},
    fetch: host.fetch,
    store,
  };
  const loading = loadModel(source, {}, { ...context, report: (report) => reports.push(report) });
  const model = await loading.catch((error) => {
    // Whatever went wrong, nothing of it is left in the engine.
    assert.equal(isLoading(), false);
    throw error;
  });
  return { model, given, reports, abandoned: abandoned(), asked: host.asked.map((url) => url.split("/").at(-1)) };
}

test("the_small_files_of_a_catalogue_model_come_first_and_all_are_checked", async () => {
  const { model, given, reports, asked } = await load(fromCatalogue("hub"), at(content));
  assert.deepEqual(asked, ["tokenizer.json", "config.json", "model.safetensors"]);
  assert.deepEqual(
    model.files.map(({ check }) => check),
    ["equal", "equal", "equal"],
  );
  assert.deepEqual([model.origin, model.revision, model.kept, model.warnings.length], ["hub", "abc", false, 0]);
  const [config, tokenizer, weights, index] = given[0];
  assert.deepEqual([config, tokenizer, index], [bytesOf("{}"), bytesOf('{"model":{}}'), undefined]);
  assert.deepEqual(weights, [{ name: "model.safetensors", bytes: bytesOf("weights") }]);
  assert.deepEqual([...new Set(reports.map(({ phase }) => phase))], ["downloading", "starting"]);
  assert.ok(reports.every(({ totalBytes }) => totalBytes === 21));
  assert.equal(reports.at(-1).loadedBytes, 21);
});

test("other_weights_are_an_error_and_other_small_files_a_warning", async () => {
  await assert.rejects(load(fromCatalogue("hub"), at({ ...content, "model.safetensors": "Weights" })), {
    code: "wrongDigest",
  });
  await assert.rejects(load(fromCatalogue("hub"), at({ ...content, "model.safetensors": "more weights" })), {
    code: "wrongBody",
  });
  const { model } = await load(fromCatalogue("hub"), at({ ...content, "tokenizer.json": "{}" }));
  assert.deepEqual(model.warnings, [
    "tokenizer.json differs from the catalogue's: the same text may become other tokens than it should.",
  ]);
});

/** @param {Map<string, ArrayBuffer>} entries */
function damage(entries) {
  const key = [...entries.keys()].find((name) => name.endsWith(entry.files["model.safetensors"].sha256)) ?? "";
  entries.set(key, bytesOf("wEights").buffer);
}

test("a_kept_copy_needs_no_host", async () => {
  const { caches } = fakeCaches();
  const store = new ModelStore(caches, "https://page.example");
  assert.equal(await store.has(entry), false);
  assert.equal((await load(fromCatalogue("hub"), at(content), store)).model.kept, true);
  assert.equal(await store.has(entry), true);
  const { model, asked } = await load(fromCatalogue("store"), {}, store);
  assert.deepEqual([model.origin, model.kept, asked.length], ["store", true, 0]);
});

test("a_damaged_copy_is_dropped_and_fetched_again", async () => {
  const { caches, entries } = fakeCaches();
  const store = new ModelStore(caches, "https://page.example");
  await load(fromCatalogue("hub"), at(content), store);
  damage(entries);
  const { model } = await load(fromCatalogue("store"), at(content), store);
  assert.deepEqual([model.origin, model.kept], ["hub", true]);
  damage(entries);
  await assert.rejects(load(fromCatalogue("store"), {}, store), { code: "httpStatus" });
  assert.equal(await store.has(entry), false);
});

test("a_full_or_refused_store_only_means_not_kept", async () => {
  const { caches, entries } = fakeCaches(2);
  const { model } = await load(fromCatalogue("hub"), at(content), new ModelStore(caches, "https://page.example"));
  assert.equal(model.kept, false);
  assert.equal(entries.size, 0);
  const refusing = /** @type {CacheStorage} */ (
    /** @type {unknown} */ ({ open: () => Promise.reject(new DOMException("no", "SecurityError")) })
  );
  const store = new ModelStore(refusing, "https://page.example");
  assert.equal((await load(fromCatalogue("hub"), at(content), store)).model.kept, false);
  assert.equal(await store.has(entry), false);
});

test("a_record_of_other_weights_does_not_count", async () => {
  const store = new ModelStore(fakeCaches().caches, "https://page.example");
  await load(fromCatalogue("hub"), at(content), store);
  const newer = { ...entry, files: { ...entry.files, "model.safetensors": { bytes: 7, sha256: "00" } } };
  assert.equal(await store.has(newer), false);
});

test("a_folder_is_tried_as_one_file_and_then_by_its_index", async () => {
  const base = "https://page.example/mine/";
  const index = JSON.stringify({
    weight_map: { a: "model-2.safetensors", b: "model-1.safetensors", c: "model-2.safetensors" },
  });
  const files = {
    "config.json": "{}",
    "model.safetensors.index.json": index,
    "model-1.safetensors": "one",
    "model-2.safetensors": "two",
  };
  const { model, given } = await load({ kind: "folder", base }, at(files, base));
  const [, tokenizer, weights, indexBytes] = given[0];
  assert.equal(tokenizer, undefined);
  assert.deepEqual(
    weights.map((/** @type {any} */ { name }) => name),
    ["model-1.safetensors", "model-2.safetensors"],
  );
  assert.deepEqual(indexBytes, bytesOf(index));
  assert.deepEqual([model.title, model.origin, model.hasTokenizer], ["mine", "folder", false]);
  assert.ok(model.files.every(({ check }) => check === "unknown"));
  await assert.rejects(load({ kind: "folder", base }, at({ "config.json": "{}" }, base)), { code: "checkpoint" });
});

test("an_index_cannot_lead_out_of_its_folder", async () => {
  const base = "https://page.example/mine/";
  for (const name of ["../secret.safetensors", "https://other.example/x.safetensors", 7, "x.bin"]) {
    const files = { "config.json": "{}", "model.safetensors.index.json": JSON.stringify({ weight_map: { a: name } }) };
    await assert.rejects(load({ kind: "folder", base }, at(files, base)), {
      code: "checkpoint",
      message: /weight_map/,
    });
  }
});

test("chosen_files_are_matched_by_name", async () => {
  const file = (/** @type {string} */ name, text = "x") => new File([text], name);
  const { model, given } = await load(
    { kind: "files", files: [file("notes.txt"), file("my.safetensors"), file("config.json")] },
    {},
  );
  assert.deepEqual(
    model.files.map(({ name }) => name),
    ["config.json", "my.safetensors"],
  );
  assert.equal(given[0][1], undefined);
  const missing = [
    { files: [file("my.safetensors")], message: /no config\.json/ },
    { files: [file("config.json")], message: /no model\.safetensors/ },
    { files: [file("config.json"), file("a.safetensors"), file("b.safetensors")], message: /index\.json/ },
  ];
  for (const { files, message } of missing) await assert.rejects(load({ kind: "files", files }, {}), { message });
  const index = file(
    "model.safetensors.index.json",
    JSON.stringify({ weight_map: { a: "a.safetensors", c: "c.safetensors" } }),
  );
  const shards = [file("config.json"), index, file("a.safetensors"), file("b.safetensors")];
  await assert.rejects(load({ kind: "files", files: shards }, {}), {
    code: "checkpoint",
    message: /no c\.safetensors/,
  });
});

test("weights_pass_by_in_chunks_and_the_next_is_asked_for_when_engine_and_store_have_the_last", async () => {
  const bytes = new Uint8Array(3_000_000).map((_, n) => (n * 7919) >> 5);
  const chunkBytes = 300_000;
  const files = {
    ...entry.files,
    "model.safetensors": { bytes: bytes.length, sha256: sha256(bytes) },
  };
  let sent = 0;
  let taken = 0;
  let most = 0;
  const body = () =>
    new Response(
      new ReadableStream(
        {
          pull(controller) {
            most = Math.max(most, sent - taken);
            if (sent === bytes.length) return controller.close();
            controller.enqueue(bytes.slice(sent, (sent += chunkBytes)));
          },
        },
        { highWaterMark: 0 },
      ),
    );
  const { caches, entries } = fakeCaches();
  const slow = slowly(caches, (chunk) => (taken += chunk.length));
  const { engine, given } = fakeEngine();
  const model = await loadModel(
    { kind: "catalogue", entry: { ...entry, files }, from: "hub", base: BASE },
    {},
    {
      engine,
      Sha256,
      signal: new AbortController().signal,
      report() {},
      pause: async () => {},
      fetch: fakeHost({ ...at(content), [`${BASE}model.safetensors`]: body }).fetch,
      store: new ModelStore(slow, "https://page.example"),
    },
  );
  assert.equal(model.kept, true);
  assert.deepEqual(given[0][2][0].bytes, bytes);
  const key = [...entries.keys()].find((name) => name.endsWith(sha256(bytes))) ?? "";
  assert.deepEqual(new Uint8Array(entries.get(key) ?? new ArrayBuffer(0)), bytes);
  assert.ok(most <= 3 * chunkBytes, `${most} bytes were under way`);
});

/**
 * A store that takes a turn for every chunk.
 *
 * @param {CacheStorage} caches
 * @param {(chunk: Uint8Array) => void} took
 * @returns {CacheStorage}
 */
function slowly(caches, took) {
  const open = async () => {
    const cache = await caches.open("any");
    /** @param {string} key @param {Response} response */
    async function put(key, response) {
      const parts = [];
      // @ts-ignore: a stream can be iterated here
      for await (const chunk of response.body) {
        await new Promise((resolve) => setTimeout(resolve, 1));
        if (chunk.length > 50_000) took(chunk);
        parts.push(chunk);
      }
      await cache.put(key, new Response(new Blob(parts)));
    }
    return { ...cache, put };
  };
  return /** @type {CacheStorage} */ (/** @type {unknown} */ ({ open }));
}

test("weights_with_a_wrong_digest_leave_nothing_in_the_store", async () => {
  for (const weights of ["Weights", "unsound"]) {
    const { caches, entries } = fakeCaches();
    const store = new ModelStore(caches, "https://page.example");
    await assert.rejects(load(fromCatalogue("hub"), at({ ...content, "model.safetensors": weights }), store), {
      code: "wrongDigest",
    });
    assert.equal(entries.size, 0);
  }
});

test("a_broken_off_download_leaves_the_kept_copy_as_it_was", async () => {
  const { caches } = fakeCaches();
  const store = new ModelStore(caches, "https://page.example");
  await load(fromCatalogue("hub"), at(content), store);
  const brokenOff = () =>
    new Response(
      new ReadableStream({
        start: (controller) => controller.enqueue(bytesOf("wei")),
        pull: (controller) => controller.error(new TypeError("network")),
      }),
    );
  const files = { ...at(content), [`${BASE}model.safetensors`]: brokenOff };
  await assert.rejects(load(fromCatalogue("hub"), files, store), { code: "unreachable" });
  assert.equal(await store.has(entry), true);
});

test("unsound_weights_without_a_known_digest_are_an_error_at_once", async () => {
  const base = "https://page.example/mine/";
  let read = 0;
  const endless = () =>
    new Response(
      new ReadableStream(
        { pull: (controller) => controller.enqueue(bytesOf(`unsound ${read++}`)) },
        { highWaterMark: 0 },
      ),
    );
  const files = { [`${base}config.json`]: "{}", [`${base}model.safetensors`]: endless };
  await assert.rejects(load({ kind: "folder", base }, files), { code: "checkpoint", message: /unsound/ });
  assert.ok(read < 5);
});

test("a_store_that_stops_reading_does_not_hold_up_the_load", async () => {
  const stuck = {
    match: async () => undefined,
    delete: async () => false,
    /** @param {string} key @param {Response} response */
    put: async (key, response) => {
      await response.body?.getReader().read();
      throw new DOMException("full", "QuotaExceededError");
    },
  };
  const caches = /** @type {CacheStorage} */ (/** @type {unknown} */ ({ open: async () => stuck }));
  const { model } = await load(fromCatalogue("hub"), at(content), new ModelStore(caches, "https://page.example"));
  assert.equal(model.kept, false);
});
