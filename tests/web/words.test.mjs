/** All words of the page stand in www/src/words: no other file has a sentence, a label or a name that somebody reads. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { parse } from "acorn";
import { ancestor } from "acorn-walk";
import { merged } from "../../www/src/words/language.js";
import { words as ofPage } from "../../www/src/words/page.js";

const source = fileURLToPath(new URL("../../www/src/", import.meta.url));

/** Where English sentences may stand, and why. @type {[RegExp, string][]} */
const elsewhere = [
  [/^words\//, "the catalogue itself"],
  [/^sheets\/content\//, "the sheets' English, which a translation overlays by the ids of steps and questions"],
  [/^(models\/|worker\.js$|fault\.js$)/, "messages of faults, which go with a code; the catalogue has title and advice of each code"],
  [/^scripting/, "the console's sentences are for programmers, as the engine's own are"],
];

/** Strings of the language, the browser and the records' schema that look like words: keys, types, shortcuts, styles. */
const known = /^(Enter|Escape|Tab|Home|End|Delete|Backspace|PageUp|PageDown|Arrow(Up|Down|Left|Right)|Content-Type|Files|KeyB|KeyZ|KeyY|Infinity|NaN|command line)$|^(Control|Alt|Shift|\+|[A-Z])+$|^transform: \w+\(/;

const letters = /[A-Za-z]{2,}/;

/** What of the markup of a template somebody reads; \0 stands for a value. @param {string[]} quasis */
function textOf(quasis) {
  const markup = quasis.join("\0").replace(/<!--.*?-->/gs, "");
  /** @type {string[]} */
  const found = [];
  // Texts between tags, without what the browser does not show as words.
  for (const text of markup.replace(/<[a-z/][^>]*>/gis, "\u0001").split("\u0001")) if (letters.test(text.replaceAll(/&[a-z]+;/g, ""))) found.push(text.trim());
  for (const [, , value] of markup.matchAll(/\b(aria-label|aria-description|aria-roledescription|aria-valuetext|title|placeholder|alt)="([^"]*)"/g))
    if (letters.test(value)) found.push(value);
  return found;
}

/** @param {string} text */
const isSentence = (text) => {
  const plain = text.replaceAll("\0", " ").trim();
  if (known.test(plain)) return false;
  return /[A-Za-z]{2,}[,.:;!?]? +[A-Za-z(]/.test(plain) || /^[A-Z][a-z]{2,}/.test(plain) || /^[a-z ,.()]* $|^ [a-z ,.()]+$/.test(text.replaceAll("\0", "")) && letters.test(text);
};

/** @param {string} code @returns {string[]} line and words of what does not belong there */
function wordsIn(code) {
  const tree = parse(code, { ecmaVersion: "latest", sourceType: "module", locations: true });
  /** @type {string[]} */
  const found = [];
  /** @param {any} node @param {string} text */
  const tell = (node, text) => found.push(`${node.loc.start.line}: ${text.replaceAll("\0", "…")}`);
  /** @param {any[]} above whether what is thrown or logged there is for programmers */
  const forProgrammers = (above) =>
    above.some((node) => (node.type === "NewExpression" && /Error$/.test(node.callee.name ?? "")) || node.type === "ImportDeclaration" || node.type === "ImportExpression");
  ancestor(tree, {
    TaggedTemplateExpression(/** @type {any} */ node) {
      for (const text of textOf(node.quasi.quasis.map((/** @type {any} */ { value }) => value.cooked ?? ""))) tell(node, text);
    },
    TemplateLiteral(/** @type {any} */ node, /** @type {any} */ _, /** @type {any[]} */ above) {
      if (above.at(-2)?.type === "TaggedTemplateExpression" || forProgrammers(above)) return;
      const text = node.quasis.map((/** @type {any} */ { value }) => value.cooked).join("\0");
      if (isSentence(text)) tell(node, text);
    },
    Literal(/** @type {any} */ node, /** @type {any} */ _, /** @type {any[]} */ above) {
      if (typeof node.value !== "string" || forProgrammers(above)) return;
      if (isSentence(node.value)) tell(node, node.value);
    },
  });
  return found;
}

const files = readdirSync(source, { recursive: true, encoding: "utf8" })
  .map((name) => name.replaceAll("\\", "/"))
  .filter((name) => name.endsWith(".js") && !elsewhere.some(([pattern]) => pattern.test(name)));

test("no_file_but_those_of_the_catalogue_has_words_that_somebody_reads", () => {
  const found = files.flatMap((name) => wordsIn(readFileSync(source + name, "utf8")).map((text) => `www/src/${name}:${text}`));
  assert.deepEqual(found, []);
});

test("what_the_reader_sees_of_a_number_is_written_by_format_js", () => {
  const calls = /\.(toFixed|toPrecision|toExponential|toLocale\w*String)\(|Intl\./;
  const shown = readdirSync(source, { recursive: true, encoding: "utf8" })
    .map((name) => name.replaceAll("\\", "/"))
    .filter((name) => /^(views|words)\/.*\.js$|\/words\.js$/.test(name) && name !== "words/language.js");
  assert.deepEqual(shown.filter((name) => calls.test(readFileSync(source + name, "utf8"))), []);
});

/** Without the spaces of the markup. @param {string} text */
const plain = (text) => text.replace(/\s+/g, " ").trim();

test("what_stands_in_the_page_s_html_is_the_english_of_the_catalogue", () => {
  const html = readFileSync(new URL("../../www/index.html", import.meta.url), "utf8").replace(/<!--.*?-->/gs, "");
  const tags = [...html.matchAll(/<\w+[^>]*\bdata-words(?:-\w+)?="[^>]*>/g)];
  /** @param {string} tag @param {string} attribute */
  const valueOf = (tag, attribute) => tag.match(new RegExp(`\\s${attribute}="([^"]*)"`))?.[1];
  /** @type {Record<string, string>} */
  const found = {};
  for (const { 0: tag, index } of tags) {
    const [own, label, content] = ["data-words", "data-words-label", "data-words-content"].map((name) => valueOf(tag, name));
    const end = (index ?? 0) + tag.length;
    if (own !== undefined) found[own] = plain(html.slice(end, html.indexOf("<", end)));
    if (label !== undefined) found[label] = valueOf(tag, "aria-label") ?? "";
    if (content !== undefined) found[content] = valueOf(tag, "content") ?? "";
  }
  assert.deepEqual(found, { ...ofPage });

  // Nothing else is said there but the page's name, and what a browser without JavaScript shows.
  const unmarked = html
    .replace(/<!doctype html>|<noscript>.*?<\/noscript>|<h1>Logit Lab<\/h1>/gs, "")
    .replace(/<(\w+)[^>]*\bdata-words(?:-\w+)?="[^>]*>[^<]*/g, "");
  assert.deepEqual(textOf([unmarked]), []);
});

test("words_are_found_in_text_attributes_and_sentences_and_names_of_the_language_are_not", () => {
  const found = (/** @type {string} */ code) => wordsIn(code).length;
  assert.equal(found("html`<p class=\"quiet small\">${x}</p>`"), 0);
  assert.equal(found("html`<p>Stop</p>`"), 1);
  assert.equal(found("html`<p>${n} of ${m}</p>`"), 1);
  assert.equal(found("html`<input aria-label=\"the prompt\" />`"), 1);
  assert.equal(found("html`<input aria-label=${label} />`"), 0);
  assert.equal(found("const a = `${n} tokens left`;"), 1);
  assert.equal(found("const a = ` (kept)`;") + found("const a = 'Load';") + found("const a = 'no model';"), 3);
  assert.equal(found("if (key === 'ArrowLeft') throw new TypeError('not a number');"), 0);
});

test("another_language_replaces_word_by_word_and_leaves_the_rest_english", () => {
  const english = { a: "one", group: { b: "two", c: "three" }, steps: [{ id: "x", text: "four" }, { id: "y", text: "five" }] };
  assert.deepEqual(merged(english, { a: "eins", group: { c: "drei" }, steps: [{ id: "y", text: "fünf" }] }), {
    a: "eins",
    group: { b: "two", c: "drei" },
    steps: [{ id: "x", text: "four" }, { id: "y", text: "fünf" }],
  });
  const choices = [["x", "four"], ["y", "five"]];
  assert.deepEqual(merged(choices, [["y", "fünf"]]), [["x", "four"], ["y", "fünf"]]);
  assert.deepEqual(merged(["one", "two"], ["eins"]), ["eins"], "paragraphs are one text");
  const forms = { one: "plik", few: "pliki", many: "plików", other: "pliku" };
  assert.deepEqual(merged({ one: "file", other: "files" }, forms), forms);
});
