/**
 * The last step of a build: makes a built page ready for any static host. Comments go (slim.mjs). Everything but index.html and models/ moves
 * into a folder named by its content, so that files of two deployments never mix, whatever a browser or host has cached;
 * and sw.js, the service worker, gets the list of what it keeps, each file with its SHA-256. What an installed page is known
 * by, its manifest and icons, stands beside index.html under addresses that stay.
 *
 *   node scripts/arrange-dist.mjs [--base "/course/week 3/"] [FOLDER, else dist]
 *
 * --base writes that path into index.html, for a host that serves the page under an address without the slash at its end.
 */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { cp, mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { slim } from "./slim.mjs";

const offline = new URL("../www/offline/", import.meta.url);
const serviceWorker = new URL("service-worker.js", offline);
const installable = ["manifest.webmanifest", "icons"];
/** What keeps its place: its address is known to others, or it is as large as the rest and changes on its own. */
const outside = ["index.html", "sw.js", "models", ".nojekyll", ...installable];
/** Parts of the page that most students never need are kept once they were used. */
const onDemand = (/** @type {string} */ name) => name.startsWith("relaxed/") || name === "vendor/licences.txt";

/** @typedef {Record<string, string>} Digests path, with slashes, to SHA-256 as a browser's integrity check has it */

/**
 * @param {string} dist
 * @param {string} [base]
 * @returns {Promise<string>} the name of the folder of everything that belongs together
 */
export async function arrange(dist, base = "") {
  const page = await readFile(path.join(dist, "index.html"), "utf8");
  const worker = await readFile(serviceWorker, "utf8");
  const inside = (await readdir(dist)).filter((name) => !outside.includes(name)).sort();
  const before = inside.find((name) => name.startsWith("app-"));
  if (before) throw new Error(`${dist} is arranged already: it has ${before}. Build the page anew.`);

  const app = await digestsOf(dist, inside);
  for (const name of installable) await cp(new URL(name, offline), path.join(dist, name), { recursive: true });
  const beside = await digestsOf(dist, [...(await bundledModels(dist)), ...installable]);
  // The page's own text and the worker count too: a deployment is all that is kept together.
  const whole = JSON.stringify([page, worker, base, Object.entries(app), Object.entries(beside)]);
  const folder = `app-${createHash("sha256").update(whole).digest("hex").slice(0, 12)}`;

  const arranged = page.replace(/\b(href|src)="([^":#]+)"/g, (_, attribute, address) => {
    if (!(address in app || address in beside))
      throw new Error(`index.html asks for ${address}, which the build has not made`);
    return `${attribute}="${encodeURI(base)}${address in app ? `${folder}/` : ""}${address}"`;
  });
  /** @type {Digests} */
  const files = { "index.html": integrityOf(arranged), ...beside };
  /** @type {Digests} */
  const later = {};
  for (const [name, integrity] of Object.entries(app)) {
    if (!name.endsWith(".d.ts")) (onDemand(name) ? later : files)[`${folder}/${name}`] = integrity;
  }
  const build = { app: folder, policy: policyOf(page), files, onDemand: later };

  await mkdir(path.join(dist, folder));
  for (const name of inside) await rename(path.join(dist, name), path.join(dist, folder, name));
  await writeFile(path.join(dist, "index.html"), arranged);
  await writeFile(path.join(dist, "sw.js"), `self.build = ${JSON.stringify(build)};\n${worker}`);
  // GitHub Pages would else run the files through Jekyll where a branch is published as it is.
  await writeFile(path.join(dist, ".nojekyll"), "");
  return folder;
}

/**
 * @param {string} dist
 * @param {string[]} names files and folders
 * @returns {Promise<Digests>}
 */
async function digestsOf(dist, names) {
  /** @type {Digests} */
  const digests = {};
  for (const name of names) {
    const entries = await readdir(path.join(dist, name)).catch(() => null);
    if (entries === null) digests[name] = integrityOf(await readFile(path.join(dist, name)));
    else
      Object.assign(
        digests,
        await digestsOf(
          dist,
          entries.sort().map((entry) => `${name}/${entry}`),
        ),
      );
  }
  return digests;
}

/** The list of models and those that ship with the page. @param {string} dist */
async function bundledModels(dist) {
  const list = "models/catalogue.json";
  /** @type {import("../www/src/messages.js").Catalogue} */
  const { models } = JSON.parse(await readFile(path.join(dist, list), "utf8"));
  const folders = models.filter(({ bundled }) => bundled).map(({ host }) => host.replace(/\/$/, ""));
  return [list, ...folders.filter((folder) => existsSync(path.join(dist, folder)))];
}

/** The page's Content-Security-Policy, which the service worker sends as a header: a meta element binds no worker.
 * @param {string} page
 */
function policyOf(page) {
  const policy = /http-equiv="Content-Security-Policy"\s+content="([^"]+)"/.exec(page)?.[1];
  if (!policy) throw new Error("index.html has no Content-Security-Policy");
  return policy;
}

/** @param {string | Buffer} content */
function integrityOf(content) {
  return `sha256-${createHash("sha256").update(content).digest("base64")}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values, positionals } = parseArgs({ options: { base: { type: "string" } }, allowPositionals: true });
  const dist = positionals[0] ?? "dist";
  await slim(dist);
  const folder = await arrange(dist, values.base);
  process.stdout.write(`logit-lab: this deployment is ${folder}\n`);
}
