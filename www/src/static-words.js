/** Puts another language in the place of the English that stands in index.html. It is loaded for such a language only. */

import { language } from "./words/language.js";
import { words } from "./words/page.js";

/** Which attribute of an element names its words, and what they replace: its text, or another attribute. */
const places = /** @type {const} */ ([
  ["data-words", null],
  ["data-words-label", "aria-label"],
  ["data-words-content", "content"],
]);

export function translatePage() {
  document.documentElement.lang = language;
  for (const [mark, attribute] of places) {
    for (const element of document.querySelectorAll(`[${mark}]`)) {
      const text = words[/** @type {keyof typeof words} */ (element.getAttribute(mark))];
      if (attribute === null) element.textContent = text;
      else element.setAttribute(attribute, text);
    }
  }
}
