/**
 * The same seed gives the same ids, and logits of the same bits, in this browser engine as natively: what
 * tests/native/one_seed.rs has made and keeps in tests/fixtures/one_seed.json.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { openLab, openPage, readFixture } from "./harness.mjs";

/** In the page: the case's ids, and the digest (FNV-1a, 64 bits) of the bits of the logits after the last of them. */
const RUN = `
  const { model, precision, kvCache, ids, settings, seed, maxNewTokens } = args[0];
  const where = model.startsWith("tiny/") ? { base: "/" + model + "/" } : { model };
  const { card } = await logitLab.loadModel({ ...where, precision, kvCache, simd: "baseline" });
  const { ids: all, newIds } = await logitLab.generate({ ids, settings, seed, maxNewTokens, ignoreEos: true });
  const logits = await logitLab.logits({ ids: all });
  const bytes = new Uint8Array(logits.buffer, logits.byteOffset, logits.byteLength);
  let digest = 0xcbf29ce484222325n;
  for (const byte of bytes) digest = BigInt.asUintN(64, (digest ^ BigInt(byte)) * 0x100000001b3n);
  return { newIds, logitsDigest: digest.toString(16).padStart(16, "0"), precision: card.precision, simd: card.simd };
`;

const { cases } = await readFixture("one_seed.json");

describe("one seed", () => {
  /** @type {Awaited<ReturnType<typeof openLab>>} */
  let lab;
  before(async () => {
    lab = await openLab();
    await openPage(lab.browser, `${lab.server.url}?model=tales-2m`);
  });
  after(() => lab?.close());

  for (const { name, newIds, logitsDigest, ...wanted } of cases) {
    test(`gives_the_ids_and_the_bits_that_it_gives_natively_${name.replaceAll(" ", "_")}`, async () => {
      const made = await lab.browser.run(RUN, wanted);
      assert.deepEqual([made.precision, made.simd], [wanted.precision, "baseline"]);
      assert.equal(newIds.length, wanted.maxNewTokens);
      assert.deepEqual(made.newIds, newIds);
      assert.equal(made.logitsDigest, logitsDigest);
    });
  }

  test("gives_the_ids_on_the_page_that_it_gives_natively", async () => {
    // By a link with all of it, as a teacher hands it out; the page's own settings are those of this case.
    const { prompt, settings, seed, maxNewTokens, newIds } = cases[0];
    assert.deepEqual(settings, {});
    const link = new URLSearchParams({ prompt, seed, maxNewTokens, ignoreEos: "1" });
    await lab.browser.open("about:blank");
    await openPage(lab.browser, `${lab.server.url}?model=tales-2m#${link}`);
    await lab.browser.click("button", "Generate");
    const note = () => lab.browser.run("return document.getElementById('text-note').textContent;");
    await lab.browser.waitFor("the end of the run", async () => (await note()).startsWith(`${maxNewTokens} tokens;`));
    assert.deepEqual(await lab.browser.run("return (await logitLab.report()).newIds;"), newIds);
  });
});
