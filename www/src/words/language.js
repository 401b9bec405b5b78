/**
 * The page's language and the reader's way of writing numbers. English is complete and stands in this folder, one file an
 * area; another language is a folder in other/, and what it lacks stays English. docs/language.md tells a translator how.
 */

/** The languages that are here beside English. @type {string[]} */
const others = [];

/** What the page's language says in place of the English, by area. @type {Record<string, unknown>} */
let translation = {};

/**
 * What the reader prefers, best first; tests without a browser have none, and a browser on a system without a language has
 * what is no name of one ("C").
 */
const preferred = (globalThis.navigator?.languages ?? []).filter(isLanguage);

/** The page's language: what its address says (`?lang=de`), else the reader's first that is there. */
export const language = chosen();

/** How numbers are written: as the reader writes them, in digits that every field of the page can read back. */
export const numberLocale = new Intl.Locale(preferred[0] ?? "en-GB", { numberingSystem: "latn" });

/** @param {string} tag */
function isLanguage(tag) {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

function chosen() {
  const asked = new URLSearchParams(globalThis.location?.search ?? "").get("lang");
  const wanted = asked === null ? preferred : [asked, ...preferred];
  return wanted.map((tag) => tag.split("-")[0].toLowerCase()).find((tag) => tag === "en" || others.includes(tag)) ?? "en";
}

/**
 * Brings the page's language. It comes before every module that has words, for those take theirs when they are first run; a
 * top-level `await` in each would do too, but two parts of a page that share such a module and are loaded at once break each
 * other in WebKit (its bug 242740).
 *
 * @throws where its file does not come
 */
export async function loadLanguage() {
  if (language === "en") return;
  // The sentences write numbers by format.js, which has words itself: the names of units.
  for (const file of ["common", "words"]) {
    const { words } = await import(new URL(`./other/${language}/${file}.js`, import.meta.url).href);
    translation = { ...translation, ...words };
  }
}

/**
 * The words of one area in the page's language.
 *
 * @template {object} Words
 * @param {string} area the name of the file that calls this
 * @param {Words} english
 * @returns {Words}
 */
export const inLanguage = (area, english) => merged(english, translation[area]);

/**
 * English, with what the other language has in its place. Lists of things that have an `id` are matched by it, and lists of
 * pairs, as a sheet's choices are, by the first of each.
 *
 * @template T
 * @param {T} english
 * @param {any} other
 * @returns {T}
 */
export function merged(english, other) {
  if (other === undefined) return english;
  if (typeof english !== "object" || english === null || typeof other !== "object") return other;
  if (Array.isArray(english)) {
    const keys = english.map(keyOf);
    if (keys.length === 0 || keys.includes(undefined)) return other;
    const others = new Map(other.map((/** @type {unknown} */ part) => [keyOf(part), part]));
    return /** @type {T} */ (english.map((part, n) => merged(part, others.get(keys[n]))));
  }
  const parts = Object.entries(english).map(([name, part]) => [name, merged(part, other[name])]);
  // A noun may have more forms than in English.
  return { ...other, ...Object.fromEntries(parts) };
}

/** What a thing of a list is told from the others by; undefined where nothing tells. @param {any} part @returns {string | undefined} */
function keyOf(part) {
  const key = Array.isArray(part) && part.length === 2 ? part[0] : part?.id;
  return typeof key === "string" ? key : undefined;
}

const plurals = new Intl.PluralRules(language);

/** @typedef {{ one: string, other: string } & Partial<Record<Intl.LDMLPluralRule, string>>} Forms of a noun with its number */

/** @typedef {(text: string) => unknown} Hidden makes a part of a name one that is heard and not seen */

/** The form of a noun that a number asks for, without the number. @param {number} n @param {Forms} forms */
export const form = (n, forms) => forms[plurals.select(n)] ?? forms.other;
