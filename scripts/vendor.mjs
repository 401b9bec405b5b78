/**
 * Writes the page's libraries into www/vendor as minified modules, from the npm packages that the lockfile pins.
 * Beside each goes a one-line .d.ts, so that the type checker sees the package's own types; licences.txt has the notices of
 * everything that the page brings along, the engine's crates included (scripts/notices.mjs).
 */
import { mkdir, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { noticesText } from "./notices.mjs";

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

await writeFile(new URL("licences.txt", vendor), await noticesText(packages));
