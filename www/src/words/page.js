/** What index.html says in English. It is loaded for another language only; `tests/web/words.test.mjs` holds the two equal. */

import { inLanguage } from "./language.js";

export const words = inLanguage("page", {
  title: "Logit Lab: see a language model choose its words",
  description: "Run a small language model in this page and see every step of inference.",
  skip: "Skip to the prompt",
  skipToLabs: "Skip to the lab panels",
  models: "Models",
  lede: "Press Generate: a tiny base model continues text; it does not answer. Chance of the next token, not of truth.",
  starting: "Starting…",
  astray: "Some of this page's files did not arrive. Reload it. If its address does not end in a slash (/), add one.",
  text: "Text",
  status: "Stages and counts",
  bars: "Next token",
  settings: "Settings",
  foot: "Everything runs on this device; what you type is sent nowhere. Alt+B reads the top five tokens aloud to a screen reader.",
  licences: "Free to use, change and pass on: the licences of all parts",
});
