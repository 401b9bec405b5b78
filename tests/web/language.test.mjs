/** The reader's language, as browsers tell it. */
import assert from "node:assert/strict";
import { test } from "node:test";

test("a_system_without_a_language_has_numbers_in_the_next_one_that_is_named", async () => {
  // WebKitGTK under LANG=C says "C", which names no language.
  Object.defineProperty(globalThis, "navigator", { value: { languages: ["C", "de-CH", "en"] }, configurable: true });
  const { language, numberLocale } = await import("../../www/src/words/language.js");
  assert.equal(language, "en");
  assert.equal(numberLocale.language, "de");
});
