/** Words of the notices: what each error code means to a student, with advice, and what the page can do about it. */

import { inLanguage } from "./language.js";

/** @import { ErrorAction } from "../errors.js" */
/** @import { PageErrorCode } from "../messages.js" */
/** @import { ErrorCode } from "../protocol.js" */

/** @type {Record<PageErrorCode | ErrorCode, { title: string, advice: string }>} */
const codes = {
  unreachable: {
    title: "The model's host did not answer",
    advice: "The network may be off, or a filter may block that host. Then try again.",
  },
  blocked: {
    title: "The page may not ask that host",
    advice: "Whoever hosts the page can allow it: the hosting guide says how. Or save the files and choose them here.",
  },
  httpStatus: {
    title: "The host refused the file",
    advice: "It may be busy or the file may have moved. Try again in a moment.",
  },
  wrongBody: {
    title: "The host sent something else",
    advice: "Often a sign-in page of a network answers in place of the file. Open a web page, sign in, then try again.",
  },
  wrongDigest: {
    title: "The weights are not the published ones",
    advice: "The file was damaged on its way or has been changed, so it is not used. A new download may help.",
  },
  unknownModel: {
    title: "There is no such model",
    advice: "The name in the page's address is not in the list of models. Check the link.",
  },
  noSimd: {
    title: "This browser cannot run the engine",
    advice: "It has no WebAssembly SIMD. A current Firefox, Chrome, Edge or Safari has.",
  },
  noRelaxedSimd: {
    title: "This browser has no relaxed SIMD",
    advice: "The exact engine runs here as everywhere; only the faster one needs it.",
  },
  workerStart: {
    title: "The engine could not be started",
    advice: "Some of its code did not arrive. Reload the page when the network is back.",
  },
  crashed: {
    title: "The engine stopped unexpectedly",
    advice: "A new one is started, with your prompt and settings. If it stops again, try another prompt.",
  },
  config: {
    title: "The model's configuration cannot be used",
    advice: "Its config.json asks for something that this page does not have. Choose another model.",
  },
  checkpoint: {
    title: "The model's weights cannot be used",
    advice: "A tensor is missing or has another shape than the configuration says. Choose another model.",
  },
  memory: {
    title: "The model does not fit into memory",
    advice: "Nothing of it was loaded. Choose a smaller model, or the default engine if you chose another.",
  },
  wrongResults: {
    title: "This browser computes wrongly",
    advice:
      "After loading, a known prompt is run, and its scores were not what they must be. The text would be gibberish that looks like the model's. Update the browser, or try another one.",
  },
  foreignTokenizer: {
    title: "The tokenizer does not belong to this model",
    advice:
      "Every number that the model gives out would be shown as another piece of text. Load the tokenizer.json that was published with these weights.",
  },
  tokenizer: {
    title: "The tokenizer cannot be used",
    advice: "Text cannot be turned into this model's tokens. Choose another model.",
  },
  settings: {
    title: "A setting is out of range",
    advice: "The engine refused it and nothing was changed.",
  },
  context: {
    title: "The prompt does not fit",
    advice: "A model reads a limited number of tokens, prompt and text together. Shorten the prompt.",
  },
  numeric: {
    title: "The model's scores are not numbers",
    advice: "A score became infinite or undefined, so no token can be drawn. Another prompt or precision may help.",
  },
  compute: {
    title: "The computation failed",
    advice: "The engine could not finish this step. Starting it again gives it a clean memory.",
  },
  command: {
    title: "The engine did not understand the page",
    advice: "Page and engine may be of different versions. Reload the page.",
  },
  noModel: {
    title: "No model is loaded yet",
    advice: "Wait until a model is ready, or load one.",
  },
};

/** @type {Record<ErrorAction, string>} */
const actions = {
  retry: "Retry",
  restart: "Start the engine again",
  editPrompt: "Go to the prompt",
  resetSettings: "Reset settings",
  reloadPage: "Reload the page",
  useAnyway: "Use it all the same",
  none: "",
};

export const words = inLanguage("errors", {
  codes,
  actions,
  /** What the page itself says; faults of the engine and of downloads have their own sentence. */
  messages: {
    notFound: (/** @type {string} */ title) => `${title} was found neither here nor on the hub.`,
    noSuchModel: (/** @type {string} */ name) => `No model of this page is called "${name}".`,
    notAnswering: "The engine stopped answering.",
    notStarted: "The engine's code could not be started.",
    unreadable: "A message from the engine could not be read.",
    cancelled: "The load was cancelled.",
    switched: "The model was switched while this call was running.",
  },
  details: "Details",
  concerns: "Concerns",
  expected: "Expected",
  found: "Found",
  status: "Status",
  address: "Address",
  dismiss: "Dismiss",
  linkNotice: "Notice about the link",
  notTaken: "Not taken from the link, because unknown or out of range:",
});
