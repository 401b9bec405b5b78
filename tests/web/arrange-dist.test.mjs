import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { test } from "node:test";
import { arrange } from "../../scripts/arrange-dist.mjs";
import { sha256 } from "./fakes.mjs";

/** @import { TestContext } from "node:test" */

const POLICY = "default-src 'none'; script-src 'self'";
const PAGE = `<!doctype html>
<meta
  http-equiv="Content-Security-Policy"
  content="${POLICY}"
/>
<link rel="icon" href="data:image/svg+xml,x" /><link rel="stylesheet" href="styles/a.css" />
<a href="#prompt">Skip</a><script type="module" src="src/main.js"></script>`;
const CATALOGUE = JSON.stringify({
  hub: "https://hub.invalid",
  models: [
    { id: "tiny", host: "models/tiny/", bundled: true },
    { id: "large", host: "models/large/", bundled: false },
  ],
});
const FILES = {
  "index.html": PAGE,
  "engine.js": "engine",
  "relaxed/engine.js": "relaxed engine",
  "src/main.js": "main",
  "src/types.d.ts": "types",
  "styles/a.css": "a {}",
  "models/catalogue.json": CATALOGUE,
  "models/tiny/config.json": "{}",
  "models/large/config.json": "{}",
};

/** @param {TestContext} t @param {Record<string, string>} [change] */
async function build(t, change = {}) {
  const folder = await mkdtemp(path.join(os.tmpdir(), "logit-lab-arrange-"));
  t.after(() => rm(folder, { recursive: true }));
  for (const [name, text] of Object.entries({ ...FILES, ...change })) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), text);
  }
  return folder;
}

/** What sw.js begins with. @param {string} folder */
async function listOf(folder) {
  const worker = await readFile(path.join(folder, "sw.js"), "utf8");
  return JSON.parse(/^self\.build = (.*);\n/.exec(worker)?.[1] ?? "");
}

test("everything_but_the_page_and_the_models_moves_into_one_folder", async (t) => {
  const dist = await build(t);
  const app = await arrange(dist);
  assert.match(app, /^app-[0-9a-f]{12}$/, "a name that suits any host");
  assert.deepEqual((await readdir(dist)).sort(), [".nojekyll", app, "icons", "index.html", "manifest.webmanifest", "models", "sw.js"]);
  assert.deepEqual((await readdir(path.join(dist, app))).sort(), ["engine.js", "relaxed", "src", "styles"]);
  const page = await readFile(path.join(dist, "index.html"), "utf8");
  assert.equal(page, PAGE.replace("styles/a.css", `${app}/styles/a.css`).replace("src/main.js", `${app}/src/main.js`));
});

test("the_service_worker_lists_what_it_keeps_with_digests", async (t) => {
  const dist = await build(t);
  const app = await arrange(dist);
  const list = await listOf(dist);
  assert.equal(list.app, app);
  assert.equal(list.policy, POLICY);
  const kept = [`${app}/engine.js`, `${app}/src/main.js`, `${app}/styles/a.css`];
  const ofModels = ["models/catalogue.json", "models/tiny/config.json"];
  const ofInstalled = ["apple-touch-180.png", "icon-192.png", "icon-512.png", "icon.svg", "maskable-512.png"].map((name) => `icons/${name}`);
  const beside = ["index.html", "manifest.webmanifest", ...ofInstalled, ...ofModels];
  assert.deepEqual(Object.keys(list.files).sort(), [...kept, ...beside].sort());
  assert.deepEqual(Object.keys(list.onDemand), [`${app}/relaxed/engine.js`]);
  for (const [name, integrity] of Object.entries({ ...list.files, ...list.onDemand })) {
    const digest = sha256(await readFile(path.join(dist, name)));
    assert.equal(integrity, `sha256-${Buffer.from(digest, "hex").toString("base64")}`, name);
  }
});

test("the_same_build_has_the_same_name_and_any_change_another", async (t) => {
  const name = await arrange(await build(t));
  assert.equal(await arrange(await build(t)), name);
  /** @type {Record<string, string>[]} */
  const changes = [
    { "src/main.js": "other" },
    { "relaxed/engine.js": "other" },
    { "src/more.js": "" },
    { "models/tiny/config.json": "other" },
    { "index.html": `${PAGE}<p>` },
  ];
  for (const change of changes) assert.notEqual(await arrange(await build(t, change)), name, JSON.stringify(change));
  assert.equal(await arrange(await build(t, { "models/large/config.json": "other" })), name, "not kept with the page");
});

test("a_base_is_written_into_the_page", async (t) => {
  const dist = await build(t);
  const app = await arrange(dist, "/course/week 3/");
  assert.match(await readFile(path.join(dist, "index.html"), "utf8"), new RegExp(`"/course/week%203/${app}/src/main.js"`));
});

test("a_page_that_asks_for_what_is_not_there_and_a_second_run_are_errors", async (t) => {
  const astray = await build(t, { "index.html": PAGE.replace("styles/a.css", "styles/b.css") });
  await assert.rejects(arrange(astray), /index\.html asks for styles\/b\.css/);
  const dist = await build(t);
  await arrange(dist);
  await assert.rejects(arrange(dist), /is arranged already/);
});
