import assert from "node:assert/strict";
import { test } from "node:test";
import { download, isMissing } from "../../www/src/models/download.js";
import { fakeHost } from "./fakes.mjs";

const URL_OF_FILE = "https://host.example/models/some%20model/model.safetensors";

/**
 * @param {BodyInit | (() => Response)} file
 * @param {Partial<import("../../www/src/models/download.js").DownloadOptions>} [options]
 */
function get(file, options = {}) {
  const { fetch } = fakeHost({ [URL_OF_FILE]: file });
  const signal = new AbortController().signal;
  return download(URL_OF_FILE, {
    signal,
    expectedBytes: null,
    exact: false,
    cache: "no-cache",
    onBytes() {},
    fetch,
    ...options,
  });
}

/** A body in several chunks. @param {...(Uint8Array | Error)} parts */
function chunks(...parts) {
  return () =>
    new Response(
      new ReadableStream({
        pull(controller) {
          const part = parts.shift();
          if (part === undefined) controller.close();
          else if (part instanceof Error) controller.error(part);
          else controller.enqueue(part);
        },
      }),
    );
}

const ten = Uint8Array.from({ length: 10 }, (_, n) => n);

test("chunks_become_one_array_whether_or_not_the_length_is_known", async () => {
  /** @type {number[]} */
  const counted = [];
  const known = await get(chunks(ten, ten), {
    expectedBytes: 20,
    exact: true,
    onBytes: (bytes) => counted.push(bytes),
  });
  assert.deepEqual([...known], [...ten, ...ten]);
  assert.deepEqual(counted, [10, 10]);
  const large = new Uint8Array(100_000).fill(7);
  const unknown = await get(chunks(large, ten));
  assert.equal(unknown.length, 100_010);
  assert.equal(unknown.buffer.byteLength, 100_010);
  assert.deepEqual([...unknown.subarray(99_999)], [7, ...ten]);
});

test("a_wrong_announced_length_ends_the_download_before_the_body", async () => {
  let read = 0;
  const body = new ReadableStream(
    { pull: (controller) => controller.enqueue(new Uint8Array(++read)) },
    { highWaterMark: 0 },
  );
  const answer = () => new Response(body, { headers: { "content-length": "5000" } });
  await assert.rejects(get(answer, { expectedBytes: 20, exact: true }), {
    code: "wrongBody",
    message: "model.safetensors from host.example should have 20 bytes and has 5,000 bytes.",
  });
  assert.equal(read, 0);
});

test("a_compressed_answer_is_measured_after_unpacking", async () => {
  const answer = () => new Response(ten, { headers: { "content-length": "4", "content-encoding": "gzip" } });
  assert.equal((await get(answer, { expectedBytes: 10, exact: true })).length, 10);
});

test("bodies_that_are_too_long_or_too_short_are_refused", async () => {
  await assert.rejects(get(chunks(ten, ten), { expectedBytes: 15, exact: true }), {
    code: "wrongBody",
    message: /more than 15 bytes/,
  });
  await assert.rejects(get(chunks(ten), { expectedBytes: 15, exact: true }), {
    code: "wrongBody",
    message: /has 10 bytes/,
  });
  const truncated = () => new Response(ten, { headers: { "content-length": "12" } });
  await assert.rejects(get(truncated), { code: "wrongBody" });
});

test("other_lengths_are_no_error_where_the_catalogue_only_warns", async () => {
  assert.equal((await get(chunks(ten), { expectedBytes: 15, exact: false })).length, 10);
});

test("stand_ins_for_a_file_are_recognised", async () => {
  const page = () => new Response("<p>", { headers: { "content-type": "text/html; charset=utf-8" } });
  const unmarkedPage = chunks(new TextEncoder().encode("\n<!DOCTYPE html><title>"));
  const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 20\n";
  for (const answer of [page, unmarkedPage]) {
    const error = await get(answer, { expectedBytes: 20, exact: true }).catch((reason) => reason);
    assert.equal(error.code, "wrongBody");
    assert.match(error.message, /web page/);
    assert.ok(isMissing(error));
  }
  const announced = () => new Response(pointer, { headers: { "content-length": `${pointer.length}` } });
  for (const answer of [pointer, announced]) {
    await assert.rejects(get(answer, { expectedBytes: 20, exact: true }), {
      code: "wrongBody",
      message: /Git LFS pointer/,
    });
  }
});

test("hosts_that_fail_are_named", async () => {
  const status = await get(() => new Response("", { status: 503, statusText: "Service Unavailable" })).catch(
    (reason) => reason,
  );
  assert.equal(status.message, "host.example answered 503 (Service Unavailable) when asked for model.safetensors.");
  assert.equal(status.details.status, 503);
  assert.ok(!isMissing(status));
  const silent = () => Promise.reject(new TypeError("failed"));
  await assert.rejects(get(ten, { fetch: silent }), { code: "unreachable", message: /host\.example did not answer/ });
  await assert.rejects(get(chunks(ten, new TypeError("network"))), {
    code: "unreachable",
    message: /broke off after 10 bytes/,
  });
});

test("a_length_beyond_all_memory_is_refused_before_it_is_allocated", async () => {
  const huge = () => new Response(ten, { headers: { "content-length": "99999999999999" } });
  await assert.rejects(get(huge), { code: "wrongBody", message: /too much for this page/ });
});

test("cancelling_is_no_fault_of_the_host", async () => {
  const controller = new AbortController();
  const onBytes = () => controller.abort();
  const answer = chunks(ten, new TypeError("aborted"));
  await assert.rejects(get(answer, { signal: controller.signal, onBytes }), { name: "AbortError" });
});
