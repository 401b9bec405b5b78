/**
 * Writes the page's libraries into www/vendor as minified modules, from the npm packages that the lockfile pins.
 * Beside each goes a one-line .d.ts, so that the type checker sees the package's own types; licences.txt has the licence of
 * every package that a bundle holds.
 */
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = new URL("..", import.meta.url);
const vendor = new URL("www/vendor/", root);

/** Loaded by the first chart, so its size is in nobody's way. */
const charts = `export { areaY, axisX, axisY, barX, barY, cell, dot, gridY, lineY, plot, rectX, rectY, ruleX, ruleY, stackX, text, tickX } from "@observablehq/plot";
`;

const modules = {
  "lit-html": `export { html, svg, render, nothing } from "lit-html";
export { classMap } from "lit-html/directives/class-map.js";
export { guard } from "lit-html/directives/guard.js";
export { live } from "lit-html/directives/live.js";
export { ref } from "lit-html/directives/ref.js";
export { repeat } from "lit-html/directives/repeat.js";
export { styleMap } from "lit-html/directives/style-map.js";
`,
  "wasm-feature-detect": `export { relaxedSimd, simd } from "wasm-feature-detect";
`,
  plot: charts,
};

/** @type {Set<string>} folders of packages */
const packages = new Set();

await mkdir(vendor, { recursive: true });
for (const [name, source] of Object.entries(modules)) {
  const { metafile } = await build({
    stdin: { contents: source, resolveDir: fileURLToPath(root), sourcefile: `${name}.js` },
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    conditions: ["production"],
    legalComments: "eof",
    metafile: true,
    outfile: fileURLToPath(new URL(`${name}.js`, vendor)),
  });
  for (const file of Object.keys(metafile.inputs)) {
    const folder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0];
    if (folder) packages.add(folder);
  }
  const types = name === "lit-html" ? `export type { TemplateResult } from "lit-html";\n${source}` : source;
  await writeFile(new URL(`${name}.d.ts`, vendor), types);
}

const licences = await Promise.all([...packages].sort().map(licenceOf));
await writeFile(new URL("licences.txt", vendor), licences.join(`\n${"-".repeat(80)}\n\n`));

/** @param {string} folder of a package @returns {Promise<string>} its name, version and licence */
async function licenceOf(folder) {
  const place = path.join(fileURLToPath(root), folder);
  const { name, version, license } = JSON.parse(await readFile(path.join(place, "package.json"), "utf8"));
  const file = (await readdir(place)).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file ? await readFile(path.join(place, file), "utf8") : `Licence: ${license}. The package has no text of it.\n`;
  return `${name} ${version}\n\n${text}`;
}
