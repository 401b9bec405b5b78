import assert from "node:assert/strict";
import { test } from "node:test";
import { Fault } from "../../www/src/fault.js";
import { download, StartOver, stream } from "../../www/src/models/download.js";
import { Retries, retryAfterMs } from "../../www/src/models/retry.js";
import { brokenHost, fakeClock } from "./fakes.mjs";

const URL_OF_FILE = "https://host.example/models/some/model.safetensors";
const bytes = Uint8Array.from({ length: 100 }, (_, n) => n);
const signal = new AbortController().signal;

/**
 * @param {ReturnType<typeof brokenHost>} host
 * @param {Partial<import("../../www/src/models/download.js").DownloadOptions>} [more]
 */
function get(host, more = {}) {
  const { clock, waitedMs } = fakeClock();
  /** @type {(number | null)[]} */
  const told = [];
  let counted = 0;
  /** @type {import("../../www/src/models/download.js").DownloadOptions} */
  const options = {
    signal,
    expectedBytes: 100,
    exact: true,
    cache: "no-cache",
    onBytes: (count) => (counted += count),
    fetch: host.fetch,
    retries: new Retries((leftMs) => told.push(leftMs), clock),
    ...more,
  };
  return { options, told, waitedMs, counted: () => counted, whole: () => download(URL_OF_FILE, options) };
}

test("a_broken_connection_is_taken_up_at_the_next_byte_of_the_same_file", async () => {
  const host = brokenHost(bytes, [{ cutAfter: 30 }, { cutAfter: 20 }, {}]);
  const { options, counted } = get(host);
  /** @type {number[]} */
  const taken = [];
  await stream(URL_OF_FILE, options, (chunk) => void taken.push(...chunk));
  assert.deepEqual(taken, [...bytes]);
  assert.equal(counted(), 100);
  assert.deepEqual(host.asked, [
    { range: null, ifRange: null, cache: "no-cache" },
    { range: "bytes=30-", ifRange: '"one"', cache: "no-store" },
    { range: "bytes=50-", ifRange: '"one"', cache: "no-store" },
  ]);
});

test("a_host_that_cannot_go_on_or_has_another_file_by_now_begins_again", async () => {
  const other = bytes.map((byte) => 255 - byte);
  /** @type {Parameters<typeof brokenHost>[1]} */
  const answers = [
    { noRange: true },
    { body: other, headers: { etag: '"two"' } },
    { headers: { "content-range": "bytes 29-99/100" } },
    { status: 416 },
  ];
  for (const answer of answers) {
    const host = brokenHost(bytes, [{ cutAfter: 30 }, answer, { body: answer.body }]);
    const { whole, counted } = get(host);
    assert.deepEqual(await whole(), answer.body ?? bytes);
    assert.deepEqual([host.asked.length, host.asked[2].range, counted()], [3, null, 100]);
    // Weights are in the engine by then and cannot be taken back here.
    const again = get(brokenHost(bytes, [{ cutAfter: 30 }, answer]));
    await assert.rejects(
      stream(URL_OF_FILE, again.options, () => {}),
      (error) => error instanceof StartOver && error.cause instanceof Fault && error.cause.code === "unreachable",
    );
  }
});

test("without_a_name_for_its_version_only_a_file_with_a_known_digest_goes_on", async () => {
  for (const [exact, attempts] of /** @type {const} */ ([[true, 2], [false, 3]])) {
    const host = brokenHost(bytes, [{ cutAfter: 30 }, {}, {}]);
    /** @type {typeof fetch} */
    const hiding = async (...request) => {
      const answer = await host.fetch(...request);
      const { headers, body, status } = answer;
      headers.delete("etag");
      return new Response(body, { status, headers });
    };
    const { whole } = get({ ...host, fetch: hiding }, { exact });
    assert.deepEqual(await whole(), bytes);
    assert.equal(host.asked.length, attempts);
  }
});

test("waits_grow_and_are_told_and_end_in_the_fault_itself", async () => {
  const { whole, waitedMs, told } = get(brokenHost(bytes, [{ status: 503 }]));
  await assert.rejects(whole(), { code: "httpStatus", message: /503/ });
  assert.equal(waitedMs(), 500 + 1000 + 2000 + 4000 + 8000);
  assert.deepEqual(told.slice(0, 7), [500, null, 1000, null, 2000, 1000, null]);
});

test("what_will_not_pass_is_told_at_once", async () => {
  for (const status of [400, 401, 403, 404, 410, 451]) {
    const host = brokenHost(bytes, [{ status }, {}]);
    await assert.rejects(get(host).whole(), { code: "httpStatus" });
    assert.equal(host.asked.length, 1);
  }
  for (const status of [408, 429, 500, 502, 503, 504, 599]) {
    assert.deepEqual(await get(brokenHost(bytes, [{ status }, {}])).whole(), bytes);
  }
});

test("a_host_is_left_alone_for_as_long_as_it_asks_up_to_two_minutes", async () => {
  const wait = { status: 429, headers: { "retry-after": "90" } };
  const short = get(brokenHost(bytes, [wait, {}]));
  await short.whole();
  assert.ok(short.waitedMs() >= 90_000 && short.waitedMs() < 91_000, `${short.waitedMs()} ms`);
  const long = get(brokenHost(bytes, [{ ...wait, headers: { "retry-after": "3600" } }, {}]));
  await assert.rejects(long.whole(), { code: "httpStatus", message: /It asks to be left alone for 3,600 s\.$/ });
  assert.equal(long.waitedMs(), 0);
});

test("retry_after_is_read_in_seconds_and_as_a_date_by_the_hosts_own_clock", () => {
  const nowMs = Date.UTC(2026, 0, 1, 12);
  const at = (/** @type {Record<string, string>} */ headers) => retryAfterMs(new Headers(headers), nowMs);
  assert.equal(at({ "retry-after": "7" }), 7000);
  assert.equal(at({ "retry-after": "Thu, 01 Jan 2026 12:00:09 GMT" }), 9000);
  const slowClock = { "retry-after": "Thu, 01 Jan 2026 11:00:09 GMT", date: "Thu, 01 Jan 2026 11:00:05 GMT" };
  assert.equal(at(slowClock), 4000);
  assert.equal(at({ "retry-after": "Thu, 01 Jan 2025 12:00:00 GMT" }), 0);
  assert.equal(at({ "retry-after": "soon" }), null);
  assert.equal(at({}), null);
});

test("patience_is_renewed_by_new_bytes_only", async () => {
  const large = new Uint8Array(3_000_000).fill(3);
  const often = Array.from({ length: 9 }, () => ({ cutAfter: 300_000 }));
  const bringing = get(brokenHost(large, [...often, {}]), { expectedBytes: large.length });
  assert.deepEqual(await bringing.whole(), large);
  // The same first part again and again brings nothing.
  const host = brokenHost(large, [{ cutAfter: 300_000, noRange: true }]);
  await assert.rejects(get(host, { expectedBytes: large.length }).whole(), { code: "unreachable" });
  assert.ok(host.asked.length <= 14, `${host.asked.length} attempts`);
});

test("half_a_minute_of_silence_is_a_broken_connection", async () => {
  let ticks = 0;
  const { clock } = fakeClock();
  const wait = async (/** @type {number} */ ms, /** @type {AbortSignal} */ stopped) => {
    await new Promise((resolve) => setImmediate(resolve));
    stopped.throwIfAborted();
    if (ms === 5000) ticks += 1;
  };
  let attempts = 0;
  /** @type {typeof fetch} */
  const silentAtFirst = async () => {
    attempts += 1;
    const silent = new ReadableStream({ start: (controller) => controller.enqueue(bytes.slice(0, 10)) });
    return attempts === 1 ? new Response(silent) : new Response(bytes);
  };
  const retries = new Retries(() => {}, { ...clock, wait });
  const { options } = get({ fetch: silentAtFirst, asked: [] }, { retries });
  assert.deepEqual(await download(URL_OF_FILE, options), bytes);
  assert.ok(ticks >= 6, `${ticks} ticks`);
});

test("cancelling_ends_a_wait_at_once", async () => {
  const controller = new AbortController();
  const { clock } = fakeClock();
  const retries = new Retries(() => controller.abort(), clock);
  const host = brokenHost(bytes, [{ status: 503 }, {}]);
  const { options } = get(host, { retries, signal: controller.signal });
  await assert.rejects(download(URL_OF_FILE, options), { name: "AbortError" });
  assert.equal(host.asked.length, 1);
});

test("another_hosts_hidden_compression_does_not_end_a_download", async () => {
  /** @type {typeof fetch} */
  const compressing = async () => {
    const answer = new Response(new Uint8Array(5000), { headers: { "content-length": "4000" } });
    return Object.defineProperty(answer, "type", { value: "cors" });
  };
  const { options } = get({ fetch: compressing, asked: [] }, { expectedBytes: 5000 });
  assert.equal((await download(URL_OF_FILE, options)).length, 5000);
  const short = get({ fetch: compressing, asked: [] }, { expectedBytes: 6000 });
  await assert.rejects(short.whole(), { code: "wrongBody", message: /has 5,000 bytes/ });
});
