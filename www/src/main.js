/** The page's entry: the words of its language, then the page, whose modules take their words when they are first run. */

import { loadLanguage } from "./words/language.js";

await loadLanguage();
await import("./page.js");
