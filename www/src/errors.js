/** What each error code means to a student: a title, advice, and the one thing the page can do about it. */

/** @import { PageErrorCode } from "./messages.js" */
/** @import { ErrorCode } from "./protocol.js" */

/** @typedef {"retry" | "restart" | "editPrompt" | "resetSettings" | "reloadPage" | "useAnyway" | "none"} ErrorAction */
/** @typedef {{ title: string, advice: string, action: ErrorAction }} ErrorText */

/** @type {Record<ErrorAction, string>} */
export const actionLabels = {
  retry: "Retry",
  restart: "Start the engine again",
  editPrompt: "Go to the prompt",
  resetSettings: "Reset settings",
  reloadPage: "Reload the page",
  useAnyway: "Use it all the same",
  none: "",
};

export const errorTexts = /** @satisfies {Record<PageErrorCode | ErrorCode, ErrorText>} */ ({
  unreachable: {
    title: "The model's host did not answer",
    advice: "The network may be off, or a filter may block that host. Then try again.",
    action: "retry",
  },
  blocked: {
    title: "The page may not ask that host",
    advice: "Whoever hosts the page can allow it: the hosting guide says how. Or save the files and choose them here.",
    action: "none",
  },
  httpStatus: {
    title: "The host refused the file",
    advice: "It may be busy or the file may have moved. Try again in a moment.",
    action: "retry",
  },
  wrongBody: {
    title: "The host sent something else",
    advice:
      "Often a sign-in page of a network answers in place of the file. Open a web page, sign in, then try again.",
    action: "retry",
  },
  wrongDigest: {
    title: "The weights are not the published ones",
    advice:
      "The file was damaged on its way or has been changed, so it is not used. A new download may help.",
    action: "retry",
  },
  unknownModel: {
    title: "There is no such model",
    advice: "The name in the page's address is not in the list of models. Check the link.",
    action: "none",
  },
  noSimd: {
    title: "This browser cannot run the engine",
    advice: "It has no WebAssembly SIMD. A current Firefox, Chrome, Edge or Safari has.",
    action: "none",
  },
  noRelaxedSimd: {
    title: "This browser has no relaxed SIMD",
    advice: "The exact engine runs here as everywhere; only the faster one needs it.",
    action: "none",
  },
  workerStart: {
    title: "The engine could not be started",
    advice: "Some of its code did not arrive. Reload the page when the network is back.",
    action: "reloadPage",
  },
  crashed: {
    title: "The engine stopped unexpectedly",
    advice: "A new one is started, with your prompt and settings. If it stops again, try another prompt.",
    action: "restart",
  },
  config: {
    title: "The model's configuration cannot be used",
    advice: "Its config.json asks for something that this page does not have. Choose another model.",
    action: "none",
  },
  checkpoint: {
    title: "The model's weights cannot be used",
    advice: "A tensor is missing or has another shape than the configuration says. Choose another model.",
    action: "none",
  },
  memory: {
    title: "The model does not fit into memory",
    advice: "Nothing of it was loaded. Choose a smaller model, or the default engine if you chose another.",
    action: "none",
  },
  wrongResults: {
    title: "This browser computes wrongly",
    advice:
      "After loading, a known prompt is run, and its scores were not what they must be. The text would be gibberish that looks like the model's. Update the browser, or try another one.",
    action: "useAnyway",
  },
  foreignTokenizer: {
    title: "The tokenizer does not belong to this model",
    advice:
      "Every number that the model gives out would be shown as another piece of text. Load the tokenizer.json that was published with these weights.",
    action: "none",
  },
  tokenizer: {
    title: "The tokenizer cannot be used",
    advice: "Text cannot be turned into this model's tokens. Choose another model.",
    action: "none",
  },
  settings: {
    title: "A setting is out of range",
    advice: "The engine refused it and nothing was changed.",
    action: "resetSettings",
  },
  context: {
    title: "The prompt does not fit",
    advice: "A model reads a limited number of tokens, prompt and text together. Shorten the prompt.",
    action: "editPrompt",
  },
  numeric: {
    title: "The model's scores are not numbers",
    advice:
      "A score became infinite or undefined, so no token can be drawn. Another prompt or precision may help.",
    action: "editPrompt",
  },
  compute: {
    title: "The computation failed",
    advice: "The engine could not finish this step. Starting it again gives it a clean memory.",
    action: "restart",
  },
  command: {
    title: "The engine did not understand the page",
    advice: "Page and engine may be of different versions. Reload the page.",
    action: "reloadPage",
  },
  noModel: {
    title: "No model is loaded yet",
    advice: "Wait until a model is ready, or load one.",
    action: "none",
  },
});
