/**
 * Takes the comments out of a built page's own code and styles: they are a fifth of what a visit would fetch before the first
 * token, and stand in the repository. Everything else stays as readable as it was; scripts/arrange-dist.mjs calls this.
 */
import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { transform } from "esbuild";

/** Folders of a build with files of ours. Those of vendor/ are small already and keep their notices. */
const OWN = ["src", "styles"];

/**
 * @param {string} text
 * @param {"js" | "css"} loader
 * @returns {Promise<string>} the same without comments
 */
export async function withoutComments(text, loader) {
  const options = { loader, charset: /** @type {const} */ ("utf8"), legalComments: /** @type {const} */ ("none") };
  return (await transform(text, options)).code;
}

/** @param {string} dist a build that is not arranged yet */
export async function slim(dist) {
  for (const folder of OWN) {
    const place = path.join(dist, folder);
    // Where a build has been arranged before, arrange() says so.
    for (const name of await readdir(place, { recursive: true }).catch(() => [])) {
      const loader = name.endsWith(".js") ? "js" : name.endsWith(".css") ? "css" : null;
      if (loader === null) continue;
      const file = path.join(place, name);
      await writeFile(file, await withoutComments(await readFile(file, "utf8"), loader));
    }
  }
}
