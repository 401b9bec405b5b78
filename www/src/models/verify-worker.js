/** Verifies one kept copy beside whatever the page is doing: reads every file through a digest, and says what came of it. */
/** @import { CopyCheck } from "../page-types.js" */
import { ModelStore } from "./store.js";
import { verifyCopy } from "./verify.js";

// Before the first await: a message that finds no listener is lost.
self.addEventListener("message", ({ data }) => void verify(data));

/** @param {string} id */
async function verify(id) {
  const files = await new ModelStore().open(id);
  if (files === null) return post({ state: "damaged", file: "" });
  const glue = await import(new URL("../../logit-lab-web.js", import.meta.url).href);
  await glue.default();
  post(await verifyCopy(files, glue.Sha256, (share) => post({ state: "checking", share })));
}

/** @param {CopyCheck} check */
function post(check) {
  self.postMessage(check);
}
