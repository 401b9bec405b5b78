/**
 * The page in another language, and numbers as readers elsewhere write them. The other language is made here, of the English
 * itself with accents on all letters: a word without them stands outside the catalogue.
 */
import assert from "node:assert/strict";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { panelNames } from "../../www/src/panel-state.js";
import { dist, deployAnew, openLab, openPage, pageOf } from "./harness.mjs";

/** The lab panels whose words are in the catalogue. */
const panels = panelNames;

/** What has no accents though somebody sees it: names of things, as they are everywhere. */
const names = ["Logit Lab", "gelu", "BF16", "INT4", "INT8", "NF4", "log"];

/** What a model, a tokenizer or the reader wrote, and code; how a token sounds and what lies in which format, the engine says. */
const notOurs = [
  "code, pre, textarea, input, script, style, #text, .strip, .example, .token-strip, .files tbody th",
  "tbody .visually-hidden, .mini-bars .visually-hidden, h2 .visually-hidden",
  "#precision-meanings :not(summary, summary *), #precision-formats :is(h4, dd)",
].join();

/** In a module: English words with accents. */
const ACCENTS = `
  const letters = new Map([..."áƀçđéƒĝĥíĵķłɱñóƥʠřšťúṽŵẋýž"].map((letter, n) => [String.fromCharCode(97 + n), letter]));
  for (const [plain, letter] of [...letters]) letters.set(plain.toUpperCase(), letter === "ʠ" ? "Ɋ" : letter.toUpperCase());
  const accented = (words) => {
    if (typeof words === "string") return words.replace(/[a-z]/gi, (letter) => letters.get(letter));
    // What a sentence is given to put around its parts gets them with accents.
    if (typeof words === "function")
      return (...given) => accented(words(...given.map((part) => (typeof part === "function" ? (text) => part(accented(text)) : part))));
    // A list of things is matched by their ids.
    if (Array.isArray(words)) return words.map((part) => (part?.id ? { ...accented(part), id: part.id } : accented(part)));
    // Templates of views pass through.
    if (words === null || typeof words !== "object" || "_$litType$" in words) return words;
    return Object.fromEntries(Object.entries(words).map(([name, part]) => [name, accented(part)]));
  };
`;

/** Adds the language "qps" to a page: its words are the English with accents. @param {string} folder */
async function addAccents(folder) {
  const file = path.join(folder, "src/words/language.js");
  let code = await readFile(file, "utf8");
  for (const [english, accented] of [
    ["const others = [];", `const others = ["qps"];\n${ACCENTS}`],
    ["merged(english, translation[area])", "(translation.accents ? accented(english) : english)"],
  ]) {
    assert.ok(code.includes(english), english);
    code = code.replace(english, () => accented);
  }
  await writeFile(file, code);
  const files = path.join(folder, "src/words/other/qps");
  await mkdir(files, { recursive: true });
  await writeFile(path.join(files, "common.js"), "export const words = { accents: true };\n");
  await writeFile(path.join(files, "words.js"), `export { count } from "../../../format.js";\nexport const words = {};\n`);
}

/** In the page: texts and accessible names that have letters without accents, outside of what is not ours. */
const PLAIN_WORDS = `
  const [notOurs, names] = args;
  const found = new Set();
  let looked = 0;
  const look = (text, element) => {
    looked += 1;
    const rest = names.reduce((left, name) => left.replaceAll(name, ""), text);
    if (/[A-Za-z]{2,}/.test(rest)) found.add((element.id || element.className || element.localName) + ": " + text.trim());
  };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    const shown = element.checkVisibility() || element.closest("[popover], option");
    if (shown && !element.closest(notOurs)) look(texts.currentNode.data, element);
  }
  const attributes = ["aria-label", "aria-description", "aria-roledescription", "aria-valuetext", "title", "placeholder", "alt"];
  // The parts of a chart's drawing have names of the library's, which nobody hears.
  for (const element of document.querySelectorAll("body :not(svg *)"))
    for (const name of attributes)
      if (element.hasAttribute(name) && !(name === "title" && element.matches(".example"))) look(element.getAttribute(name), element);
  look(document.title, document.head);
  if (looked < 300) throw new Error("looked at " + looked + " texts only");
  return [...found];
`;

describe("another language", () => {
  /** @type {Awaited<ReturnType<typeof openLab>>} */
  let lab;
  let folder = "";
  const { read, click, type, choose } = pageOf(() => lab);
  /** What the catalogue of models says of each is data, as their names are. @type {string[]} */
  let ofModels = [];

  before(async () => {
    folder = await deployAnew(addAccents);
    /** @type {import("../../www/src/messages.js").Catalogue} */
    const { models } = JSON.parse(await readFile(path.join(dist, "models/catalogue.json"), "utf8"));
    ofModels = models.flatMap(({ about, title, licence }) => [about, title, licence]);
    lab = await openLab({ root: folder });
    await openPage(lab.browser, `${lab.server.url}?lang=qps#bogus=1`);
  });
  after(async () => {
    await lab?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const plainWords = () => lab.browser.run(PLAIN_WORDS, notOurs, [...ofModels, ...names]);
  /** @param {string} selector */
  const all = (selector) => lab.browser.run("document.querySelectorAll(args[0]).forEach((element) => element.click());", selector);

  test("the_page_says_which_language_it_is_in", async () => {
    assert.equal(await read("document.documentElement.lang"), "qps");
    assert.equal(await read("document.querySelector('.skip').textContent"), "Šķíƥ ťó ťĥé ƥřóɱƥť");
  });

  test("no_word_of_the_main_page_stands_outside_the_catalogue", async () => {
    await all("details:not([open]) > summary");
    await lab.browser.waitFor("Look closer", () => read("document.getElementById('draw-many')"));
    await all("fieldset.columns input");
    await click("generate");
    await lab.browser.waitFor("the end of the run", () => read("document.getElementById('text-note').textContent.includes(';')"));
    assert.deepEqual(await plainWords(), []);

    await click("draw-many");
    await all("#bars tbody tr:nth-child(-n + 2) input");
    await all("[name=find-by][value=rank]");
    await all("#tokens [role=option]:nth-child(2)");
    await type("ban-text", "a");
    await all("[name=marks]:last-of-type, #marks-rank, #pace-three");
    await lab.browser.waitFor("the answers", () =>
      read("document.querySelector('.draws') && document.querySelector('#found') && document.querySelector('.shapes') && document.querySelector('.ban-choices button')"),
    );
    await all(".ban-choices button");
    await all("[id^=preset-]:not(span)");
    assert.deepEqual(await plainWords(), []);

    for (const name of ["temperature", "topK", "topP", "minP", "repetitionPenalty", "noRepeatNgram", "minNewTokens", "seed", "maxNewTokens", "rows"])
      await type(`${name}-field`, name === "temperature" ? "0" : "x");
    await choose("engine-kvCache", "f16");
    assert.deepEqual(await plainWords(), []);
  });

  test("no_word_of_a_problem_stands_outside_the_catalogue", async () => {
    await lab.browser.open(`${lab.server.url}?lang=qps&model=nonesuch`);
    await lab.browser.waitFor("the problem", () => read("document.querySelector('.problem')"));
    assert.match(await read("document.querySelector('.problem').innerText"), /Ťĥéřé íš ñó šúçĥ ɱóđéł/);
    assert.deepEqual(await plainWords(), []);
    await openPage(lab.browser, `${lab.server.url}?lang=qps`);
  });

  for (const name of panels) {
    test(`no_word_of_the_panel_${name}_stands_outside_the_catalogue`, async () => {
      await lab.browser.run("document.querySelector(`[aria-controls=lab-${args[0]}]`).click();", name);
      await lab.browser.waitFor(name, () => read(`document.getElementById("lab-panel-${name}").childElementCount > 0`));
      await all(`#lab-${name} details:not([open]) > summary`);
      const found = await plainWords();
      await lab.browser.run("document.querySelector(`[aria-controls=lab-${args[0]}]`).click();", name);
      assert.deepEqual(found, []);
    });
  }
});

describe("a reader who writes a decimal comma", () => {
  /** @type {Awaited<ReturnType<typeof openLab>>} */
  let lab;
  const { read, words, type, click } = pageOf(() => lab);

  before(async () => {
    lab = await openLab();
    lab.server.runFirst(`
      Object.defineProperty(Navigator.prototype, "languages", { get: () => ["de-DE", "de"] });
      // What the driver runs may load no modules in every engine; the page may.
      globalThis.loadModule = (name) => import(new URL(name, document.querySelector("script[src$='main.js']").src));`);
    await openPage(lab.browser, `${lab.server.url}?model=tales-2m`);
  });
  after(() => lab?.close());

  const line = () => words("settings-line");
  /** @param {string} id @param {string} text */
  async function fill(id, text) {
    await type(id, text);
    await lab.browser.run("document.getElementById(args[0]).dispatchEvent(new FocusEvent('blur'));", id);
    return read(`document.getElementById("${id}").value`);
  }

  test("reads_numbers_with_a_comma_in_a_page_that_stays_english", async () => {
    assert.equal(await read("document.documentElement.lang"), "en-GB");
    await lab.browser.waitFor("the bars", () => read("document.querySelector('#bars [data-id]')"));
    assert.match(await read("document.querySelector('#bars .numbers').textContent"), /^\s*\d+,\d %$/);
    assert.match(await words("kv-bytes"), /^\d+,\d kB of \d+,\d kB$/);
  });

  test("may_type_a_comma_or_a_point", async () => {
    assert.equal(await fill("temperature-field", "0,8"), "0,8");
    assert.match(await line(), /^temperature 0,8; /);
    assert.equal(await fill("topP-field", "0.95"), "0,95");
    assert.match(await line(), /^temperature 0,8, then top-p 0,95; /);
    assert.equal(await fill("maxNewTokens-field", "1.000"), "1000");
    assert.match(await line(), /at most 1\.000 new tokens/);
    assert.equal(await read("document.getElementById('temperature-fault')"), null);
  });

  test("has_the_point_in_what_programs_read", async () => {
    await fill("maxNewTokens-field", "3");
    assert.equal(await read("document.getElementById('temperature').value"), "0.8");
    await lab.browser.waitFor("the address", () => read("/temperature=0\\.8&.*topP=0\\.95&/.test(location.hash)"));
    assert.match(await read("document.getElementById('transformers-code').textContent"), /temperature=0\.8,\n {4}top_k=0,\n {4}top_p=0\.95/);
    await click("generate");
    await lab.browser.waitFor("the end of the run", () => words("text-note").then((note) => note.includes(";")));
    const { json, csv } = await lab.browser.run(
      `const record = await logitLab.report();
       const { tokensCsv } = await loadModule("records/csv.js");
       return { json: JSON.stringify(record), csv: tokensCsv(record) };`,
    );
    assert.match(json, /"temperature":0\.8/);
    assert.match(csv, /\r\n0,\d+,"[^"]*",0\.\d+,/);
  });
});
