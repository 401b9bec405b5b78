/**
 * The licence notices of everything that a build brings along, as one text: the engine's crates, Rust's own library, the npm
 * packages of www/vendor, the models. scripts/vendor.mjs writes it to www/vendor/licences.txt; the page's foot links to it.
 *
 * What counts as brought along: what is compiled into the WebAssembly module (normal dependencies of crate/web for that target,
 * without procedural macros, which run while building) and what esbuild has put into a bundle.
 */
import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const root = fileURLToPath(new URL("..", import.meta.url));
const TARGET = "wasm32-unknown-unknown";
/** Ours: their notice is that of the page. */
const OWN_CRATES = ["logit-lab-engine", "logit-lab-web"];

/** What may be part of the page: anybody may use, change and pass it on, closed or open, when the notice goes along. */
const PERMITTED = new Set([
  "MIT",
  "MIT-0",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "ISC",
  "Zlib",
  "BSL-1.0",
  "Unicode-3.0",
]);

/**
 * @typedef {object} Part
 * @property {string} name with its version
 * @property {string} licence as an SPDX expression
 * @property {string[]} texts of its licence and notice files
 * @property {string} [remark]
 */

/**
 * Whether a licence expression leaves a way that is permitted: one side of an OR is enough, of an AND both are needed.
 *
 * @param {string} expression of SPDX; "MIT/Apache-2.0" is cargo's older way to write OR
 * @returns {boolean}
 */
export function isPermitted(expression) {
  const words = expression.replaceAll("/", " OR ").match(/[()]|[^\s()]+/g) ?? [];
  let at = 0;
  /** @returns {boolean} */
  const one = () => {
    const word = words[at++];
    if (word !== "(") return PERMITTED.has(word ?? "");
    const inside = any();
    return words[at++] === ")" && inside;
  };
  /** @returns {boolean} */
  const all = () => {
    let permitted = one();
    while (words[at] === "AND") permitted = (at++, one()) && permitted;
    return permitted;
  };
  /** @returns {boolean} */
  const any = () => {
    let permitted = all();
    while (words[at] === "OR") permitted = (at++, all()) || permitted;
    return permitted;
  };
  const permitted = any();
  return permitted && at === words.length;
}

/** The crates in the engine of the page, ours apart, by name and version. @returns {Promise<Part[]>} */
export async function crateParts() {
  const target = ["--locked", "--target", TARGET];
  const edges = ["--package", "logit-lab-web", "--edges", "normal,no-proc-macro", "--prefix", "none", "--format", "{p}"];
  const tree = await cargo(["tree", ...target, ...edges]);
  const wanted = new Set(tree.split("\n").map((line) => line.replace(/^(\S+) v(\S+).*/, "$1 $2")));
  const metadata = await cargo(["metadata", "--locked", "--format-version", "1", "--filter-platform", TARGET]);
  /** @type {{ packages: { name: string, version: string, license: string | null, authors: string[], manifest_path: string }[] }} */
  const { packages } = JSON.parse(metadata);
  const parts = packages
    .filter(({ name, version }) => wanted.has(`${name} ${version}`) && !OWN_CRATES.includes(name))
    .map(async ({ name, version, license, authors, manifest_path }) => {
      const licence = license ?? "not stated";
      const texts = await noticesIn(path.dirname(manifest_path));
      const part = { name: `${name} ${version}`, licence, texts };
      return texts.length > 0 ? part : { ...part, ...(await standIn(licence, authors)) };
    });
  return byName(await Promise.all(parts));
}

/** @param {Iterable<string>} folders of npm packages, below the root @returns {Promise<Part[]>} */
export async function npmParts(folders) {
  const parts = [...folders].map(async (folder) => {
    const place = path.join(root, folder);
    const { name, version, license, author } = JSON.parse(await readFile(path.join(place, "package.json"), "utf8"));
    const texts = await noticesIn(place);
    const part = { name: `${name} ${version}`, licence: String(license), texts };
    return texts.length > 0 ? part : { ...part, ...(await standIn(part.licence, [author?.name ?? author ?? name])) };
  });
  return byName(await Promise.all(parts));
}

/** The models of the catalogue: their tokenizers and weights. @returns {Promise<Part[]>} */
export async function modelParts() {
  /** @type {import("../www/src/messages.js").Catalogue} */
  const { models } = JSON.parse(await readFile(path.join(root, "www/models/catalogue.json"), "utf8"));
  const apache = await readFile(path.join(root, "LICENSE-APACHE"), "utf8");
  return models.map(({ title, licence, card, bundled, hub }) => ({
    name: title,
    licence,
    texts: [apache],
    remark: bundled
      ? `Weights and tokenizer are this project's own, trained from scratch; see ${card}.`
      : `By EleutherAI, ${card}, revision ${hub?.revision}; part of the page where its host has put it there.`,
  }));
}

/** What every Rust program for this target holds beside its crates. @returns {Promise<Part>} */
async function standardLibrary() {
  const mit = await mitText(["The Rust Project Contributors", "2014 Alex Crichton (dlmalloc, the allocator)"]);
  const apache = await readFile(path.join(root, "LICENSE-APACHE"), "utf8");
  return {
    name: "The Rust standard library",
    licence: "(MIT OR Apache-2.0) AND Unicode-3.0",
    texts: [mit, apache],
    remark:
      "With compiler-builtins, libm and hashbrown, whose notices stand at the crates libm and hashbrown; its tables of characters " +
      "are Unicode data, whose notice stands at the crate yoke.",
  };
}

/** Everything, for people: what there is, then the texts, equal ones once. @param {Iterable<string>} npmFolders */
export async function noticesText(npmFolders) {
  const own = await Promise.all(["LICENSE-MIT", "LICENSE-APACHE"].map((name) => readFile(path.join(root, name), "utf8")));
  /** @type {[string, Part[]][]} */
  const groups = [
    ["Logit Lab itself", [{ name: "Logit Lab", licence: "MIT OR Apache-2.0", texts: own }]],
    ["Models", await modelParts()],
    ["In the page's code, from npm", await npmParts(npmFolders)],
    ["In the engine, from crates.io", await crateParts()],
    ["In the engine, from Rust", [await standardLibrary()]],
  ];
  /** @type {Map<string, { number: number, text: string }>} by what it says, however it is broken into lines */
  const texts = new Map();
  const numberOf = (/** @type {string} */ text) => {
    const key = text.replace(/[\s*>#=_-]+/g, " ").trim().toLowerCase();
    const known = texts.get(key) ?? { number: texts.size + 1, text: text.trim() };
    texts.set(key, known);
    return known.number;
  };
  const lists = groups.map(([title, parts]) => {
    const lines = parts.map(({ name, licence, texts: own, remark }) => {
      const numbers = [...new Set(own.map(numberOf))].join(", ");
      return `- ${name}: ${licence}; text ${numbers}${remark ? `\n  ${remark}` : ""}`;
    });
    return `${title}\n\n${lines.join("\n")}\n`;
  });
  const rule = "-".repeat(80);
  const written = [...texts.values()].map(({ number, text }) => `${rule}\nText ${number}\n${rule}\n\n${text}\n`);
  // The mark at the beginning says UTF-8 where a host does not.
  return ["\ufeffThe parts of Logit Lab, and under which licences they come\n", ...lists, ...written].join("\n");
}

/** @param {string} folder @returns {Promise<string[]>} the texts of its licence and notice files */
async function noticesIn(folder) {
  const names = (await readdir(folder)).filter((name) => /^(licen[cs]e|notice|copying|unlicense|copyright)/i.test(name)).sort();
  return Promise.all(names.map((name) => readFile(path.join(folder, name), "utf8")));
}

/** For a package that brings no text: that of its licence, with the authors whom it names.
 * @param {string} licence @param {string[]} authors
 */
async function standIn(licence, authors) {
  const remark = `By ${authors.join(", ") || "its contributors"}. The package brings no text of its own.`;
  if (licence.includes("MIT")) return { texts: [await mitText(authors)], remark };
  if (licence.includes("Apache-2.0")) return { texts: [await readFile(path.join(root, "LICENSE-APACHE"), "utf8")], remark };
  throw new Error(`no text is at hand for the licence ${licence}`);
}

/** @param {string[]} holders of the copyright, with years where they are known */
async function mitText(holders) {
  const own = await readFile(path.join(root, "LICENSE-MIT"), "utf8");
  return own.replace(/^Copyright \(c\).*$/m, holders.map((holder) => `Copyright (c) ${holder}`).join("\n"));
}

/** @param {Part[]} parts */
const byName = (parts) => parts.sort((a, b) => (a.name < b.name ? -1 : 1));

/** @param {string[]} words */
async function cargo(words) {
  const { stdout } = await promisify(execFile)("cargo", words, { cwd: root, maxBuffer: 64 << 20 });
  return stdout;
}
