/** The licences and the number of what the page brings along; the text that says so. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { before, describe, test } from "node:test";
import { crateParts, isPermitted, modelParts, noticesText } from "../../scripts/notices.mjs";

/** Crates in the WebAssembly module, ours apart. Nearly all are candle's and tokenizers' own: what we name is in the manifests. */
const MOST_CRATES = 118;
/** Packages in www/vendor: lit-html, wasm-feature-detect, and Observable Plot, which brings d3 along. */
const MOST_PACKAGES = 37;

const page = new URL("../../www/", import.meta.url);

describe("what the page brings along", () => {
  /** @type {import("../../scripts/notices.mjs").Part[]} */
  let crates;
  before(async () => {
    crates = await crateParts();
  });

  test("every_crate_in_the_engine_has_a_permitted_licence_and_its_text", () => {
    assert.ok(crates.some(({ name }) => name.startsWith("candle-core ")) && crates.some(({ name }) => name.startsWith("libm ")));
    for (const { name, licence, texts } of crates) {
      assert.ok(isPermitted(licence), `${name} is under ${licence}`);
      assert.ok(texts.some((text) => text.length > 500), `${name} has a text`);
    }
  });

  test("a_procedural_macro_is_no_part_of_the_engine", () => {
    for (const macro of ["syn", "serde_derive", "thiserror-impl"])
      assert.ok(!crates.some(({ name }) => name.startsWith(`${macro} `)), macro);
  });

  test("no_crate_comes_in_unnoticed", () => {
    const names = crates.map(({ name }) => name).join(", ");
    assert.equal(crates.length, MOST_CRATES, `fewer: lower the number; more: is it worth it? ${names}`);
  });

  test("the_models_are_under_permitted_licences", async () => {
    const models = await modelParts();
    assert.deepEqual(models.map(({ name }) => name), ["Tales-2M", "Pythia-14M"]);
    for (const { name, licence } of models) assert.ok(isPermitted(licence), `${name} is under ${licence}`);
  });

  test("the_libraries_of_the_page_are_listed_in_its_text_under_permitted_licences", async () => {
    const text = await readFile(new URL("vendor/licences.txt", page), "utf8");
    const npm = /from npm\n\n((?:- .*\n)+)/.exec(text)?.[1].trim().split("\n") ?? [];
    assert.equal(npm.length, MOST_PACKAGES, `fewer: lower the number; more: are they worth it? ${npm.join("\n")}`);
    for (const line of npm) assert.ok(isPermitted(/^- \S+ \S+: (.+); text [\d, ]+$/.exec(line)?.[1] ?? ""), line);
    for (const { name } of crates) assert.ok(text.includes(`\n- ${name}: `), `${name} is listed`);
  });

  test("the_page_links_to_the_text_that_the_build_makes", async () => {
    const address = /id="licences" href="([^"]+)"/.exec(await readFile(new URL("index.html", page), "utf8"))?.[1] ?? "none";
    assert.ok(existsSync(new URL(address, page)), address);
  });
});

test("equal_texts_stand_once_and_every_number_has_its_text", async () => {
  const text = await noticesText(["node_modules/d3-array", "node_modules/d3-axis", "node_modules/lit-html"]);
  const [array, axis] = ["d3-array", "d3-axis"].map((name) => new RegExp(`^- ${name} .*; text (\\d+)$`, "m").exec(text)?.[1]);
  assert.ok(array && array === axis, "two packages of one author share a text");
  const asked = new Set([...text.matchAll(/; text ([\d, ]+)/g)].flatMap(([, numbers]) => numbers.split(", ")));
  const written = [...text.matchAll(/^Text (\d+)$/gm)].map(([, number]) => number);
  assert.deepEqual(written, [...asked].sort((a, b) => Number(a) - Number(b)));
});

test("an_expression_is_permitted_where_it_leaves_a_permitted_way", () => {
  for (const permitted of ["MIT", "MIT/Apache-2.0", "GPL-3.0-only OR MIT", "(MIT OR GPL-2.0-only) AND Unicode-3.0"])
    assert.ok(isPermitted(permitted), permitted);
  for (const refused of ["", "GPL-3.0-only", "MIT AND GPL-3.0-only", "not stated", "(MIT", "MIT MIT", "SEE LICENSE IN x", "MPL-2.0"])
    assert.ok(!isPermitted(refused), refused);
});
