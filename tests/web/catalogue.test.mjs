import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { entrySource, findEntry, folderSource, loadCatalogue } from "../../www/src/models/catalogue.js";
import { ModelStore } from "../../www/src/models/store.js";
import { fakeHost, sha256 } from "./fakes.mjs";

const PAGE = "https://school.example/course/week%203/";
const read = (/** @type {string} */ file) => readFile(new URL(`../../${file}`, import.meta.url));
const text = (await read("www/models/catalogue.json")).toString();
const noStore = new ModelStore(undefined, "https://school.example");

/**
 * @param {import("node:test").TestContext} t
 * @param {Record<string, BodyInit | (() => Response)>} files
 */
function hostThePage(t, files = {}) {
  const host = fakeHost({ [`${PAGE}models/catalogue.json`]: text, ...files });
  t.mock.method(globalThis, "fetch", host.fetch);
  return host;
}

test("the_catalogue_tells_the_truth_about_the_bundled_files_and_agrees_with_the_lock", async () => {
  const [tales, pythia] = JSON.parse(text).models;
  for (const [name, { bytes, sha256: digest }] of Object.entries(tales.files)) {
    const file = await read(`www/models/tales-2m/${name}`);
    assert.deepEqual([file.length, sha256(file)], [bytes, digest], name);
  }
  const lock = JSON.parse((await read("tests/fixtures/pythia-14m/lock.json")).toString());
  assert.deepEqual(pythia.files, lock.files);
  assert.deepEqual(pythia.hub, { repository: lock.repository, revision: lock.revision });
});

test("the_hub_can_be_another_host_or_a_path_of_the_page's_own", async (t) => {
  hostThePage(t);
  const hubOf = async (/** @type {string} */ query) => (await loadCatalogue(new URL(PAGE + query))).hub;
  assert.equal(await hubOf(""), "https://huggingface.co");
  assert.equal(await hubOf("?hub=https://mirror.example/hf/"), "https://mirror.example/hf");
  assert.equal(await hubOf("?hub=/hub"), "https://school.example/hub");
  assert.equal(await hubOf("?hub=mirror"), "https://school.example/course/week%203/mirror");
  await assert.rejects(hubOf("?hub=javascript:alert(1)"), { code: "unknownModel" });
});

test("an_entry_is_looked_for_on_the_page's_host_and_the_hub_is_not_asked", async (t) => {
  const pageUrl = new URL(PAGE);
  const config = `${PAGE}models/pythia-14m/config.json`;
  /** @type {[string, Record<string, BodyInit | (() => Response)>, string][]} */
  const cases = [
    ["nothing there", {}, "hub"],
    ["the right length", { [config]: new Uint8Array(698) }, "host"],
    ["another length", { [config]: new Uint8Array(700) }, "hub"],
    [
      "a page for everything",
      { [config]: () => new Response("<p>", { headers: { "content-type": "text/html" } }) },
      "hub",
    ],
  ];
  for (const [name, files, expected] of cases) {
    const host = hostThePage(t, files);
    const { models } = await loadCatalogue(pageUrl);
    assert.equal(await findEntry(models[1], pageUrl, noStore), expected, name);
    assert.equal(await findEntry(models[0], pageUrl, noStore), "host", name);
    assert.ok(host.asked.every((url) => url.startsWith(PAGE)));
    assert.equal(
      await findEntry({ ...models[1], hub: undefined }, pageUrl, noStore),
      expected === "hub" ? null : "host",
      name,
    );
    t.mock.restoreAll();
  }
});

test("sources_have_absolute_addresses", async (t) => {
  hostThePage(t);
  const pageUrl = new URL(PAGE);
  const catalogue = await loadCatalogue(pageUrl);
  const [tales, pythia] = catalogue.models;
  const baseOf = (/** @type {any} */ source) => source.base;
  const onHub = `https://huggingface.co/EleutherAI/pythia-14m/resolve/${pythia.hub?.revision}/`;
  assert.equal(baseOf(entrySource(catalogue, tales, "store", pageUrl)), `${PAGE}models/tales-2m/`);
  assert.equal(baseOf(entrySource(catalogue, pythia, "host", pageUrl)), `${PAGE}models/pythia-14m/`);
  assert.equal(baseOf(entrySource(catalogue, pythia, "hub", pageUrl)), onHub);
  assert.equal(baseOf(entrySource(catalogue, pythia, "store", pageUrl)), onHub);
  assert.equal(baseOf(folderSource("mine", pageUrl)), `${PAGE}mine/`);
  assert.throws(() => folderSource("blob:x", pageUrl), { code: "unknownModel" });
});
