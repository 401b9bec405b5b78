/** What the page can do about each error. Title and advice of each code: words/errors.js. */

import { words } from "./words/errors.js";

/** @import { PageErrorCode } from "./messages.js" */
/** @import { ErrorCode } from "./protocol.js" */

/** @typedef {"retry" | "restart" | "editPrompt" | "resetSettings" | "reloadPage" | "useAnyway" | "none"} ErrorAction */

/** The one thing to do. @type {Record<PageErrorCode | ErrorCode, ErrorAction>} */
export const errorActions = {
  unreachable: "retry",
  blocked: "none",
  httpStatus: "retry",
  wrongBody: "retry",
  wrongDigest: "retry",
  unknownModel: "none",
  noSimd: "none",
  noRelaxedSimd: "none",
  workerStart: "reloadPage",
  crashed: "restart",
  config: "none",
  checkpoint: "none",
  memory: "none",
  wrongResults: "useAnyway",
  foreignTokenizer: "none",
  tokenizer: "none",
  settings: "resetSettings",
  context: "editPrompt",
  numeric: "editPrompt",
  compute: "restart",
  command: "reloadPage",
  noModel: "none",
};

export const errorTexts = words.codes;
