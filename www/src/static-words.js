/** Puts the page's language in the place of the English that stands in index.html. */

import { language } from "./words/language.js";

/** Which attribute of an element names its words, and what they replace: its text, or another attribute. */
const places = /** @type {const} */ ([
  ["data-words", null],
  ["data-words-label", "aria-label"],
  ["data-words-content", "content"],
]);

export async function translatePage() {
  if (language === "en") return;
  document.documentElement.lang = language;
  /** @type {{ words: Record<string, string> }} */
  const { words } = await import("./words/page.js");
  for (const [mark, attribute] of places) {
    for (const element of document.querySelectorAll(`[${mark}]`)) {
      const text = words[element.getAttribute(mark) ?? ""];
      if (attribute === null) element.textContent = text;
      else element.setAttribute(attribute, text);
    }
  }
}
