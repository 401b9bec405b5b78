/**
 * The styles of the lab panels. They come with the code of the first panel that is opened: nothing needs them before. (The
 * lab sheets' are there from the start: they place a column beside the page, which must not jump.)
 */

const names = ["ab", "batch", "scores", "precision", "cache", "memory", "timing", "records"];

/** @type {Promise<unknown> | null} */
let coming = null;

/** Resolves when all of them are in force; after a failure the next call tries again. */
export function loadLabStyles() {
  coming ??= Promise.all(names.map(styleSheet)).catch((error) => {
    coming = null;
    throw error;
  });
  return coming;
}

/** @param {string} name @returns {Promise<unknown>} */
function styleSheet(name) {
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = new URL(`../styles/${name}.css`, import.meta.url).href;
  const settled = new Promise((resolve, reject) => {
    link.addEventListener("load", resolve);
    link.addEventListener("error", () => {
      link.remove();
      reject(new Error(`${link.href} did not come`));
    });
  });
  document.head.append(link);
  return settled;
}
