/**
 * The service worker. It keeps one deployment of the page (its files are listed, with digests, by
 * scripts/arrange-dist.mjs, which writes this file to the host as sw.js), so that the second visit needs no network, and
 * adds the headers that static hosts cannot send.
 *
 * - What is kept is answered from the copy, the page's own address included: index.html, code and bundled model are then
 *   always of one deployment, and a network that fails half-way breaks nothing. A new deployment brings another sw.js,
 *   which the browser looks for at each visit; once all its files are here it is the current one, and the page offers to
 *   reload. Whichever worker runs then answers with it; the new one waits until no page is open, as is the rule. Hurried,
 *   Chromium may leave it waiting for minutes, and requests with it.
 * - Every deployment has a folder of its own, so an open tab of an earlier one goes on with that one's copy, which is
 *   dropped when no tab holds the lock of its name any more (src/offline.js takes it).
 * - All else is left to the browser: other hosts, parts of files, other models, and the model store's cache.
 */

/** @typedef {Record<string, string>} Digests path to SHA-256, as fetch() checks it */

const sw = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
/** @type {{ app: string, policy: string, files: Digests, onDemand: Digests }} */
const build = Reflect.get(self, "build");
/** @type {Digests} */
const listed = { ...build.files, ...build.onDemand };
const { scope } = sw.registration;
/** Also the name of the lock that a page of this deployment holds. @param {string} app */
const cacheOf = (app) => `logit-lab ${scope}${app}`;
const ownCache = cacheOf(build.app);
/** Of this page's deployments only: another copy of it may live on the same host. */
const isDeployment = (/** @type {string} */ name) => name.startsWith(cacheOf("app-"));

/** Holds one entry, the name of the deployment that came whole last. */
const CURRENT = `logit-lab ${scope} current`;

const DIGEST = "x-integrity";
const isolation = {
  "content-security-policy": build.policy,
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-embedder-policy": "require-corp",
  "cross-origin-resource-policy": "same-origin",
};

sw.addEventListener("install", (event) => event.waitUntil(install()));
sw.addEventListener("activate", (event) => event.waitUntil(activate()));
sw.addEventListener("message", (event) => event.waitUntil(welcome(/** @type {Client} */ (event.source))));
sw.addEventListener("fetch", (event) => {
  const path = pathOf(event.request);
  if (path !== null) event.respondWith(answer(event, path));
});

/** All files or none: if one fails the earlier deployment stays in use, and the next visit goes on from here. */
async function install() {
  await keepAll();
  await (await caches.open(CURRENT)).put(scope, new Response(build.app));
  const pages = await sw.clients.matchAll({ type: "window", includeUncontrolled: true });
  for (const page of pages) report(page, build.app, { kept: true, takesOver: true });
}

async function activate() {
  await sw.clients.claim();
  await dropUnused();
}

/**
 * A page is open, has taken its lock and works. What the browser has dropped meanwhile is fetched again.
 *
 * @param {Client} page
 */
async function welcome(page) {
  const app = await currentApp();
  const kept = app !== build.app || (await keepAll().then(() => true, () => false));
  report(page, app, { kept, takesOver: false });
  await dropUnused();
}

/** The deployment that new pages get: this worker's own, unless another has come whole since. */
async function currentApp() {
  const noted = await caches.match(scope, { cacheName: CURRENT });
  const app = appIn(`${await noted?.text()}/`) ?? build.app;
  return (await caches.has(cacheOf(app))) ? app : build.app;
}

/** @param {Client} page @param {string} app @param {{ kept: boolean, takesOver: boolean }} what */
const report = (page, app, what) => page.postMessage({ deployment: cacheOf(app), ...what });

/** A change of one file need not fetch the others again: the same content may be in the copy of an earlier deployment. */
async function keepAll() {
  const cache = await caches.open(ownCache);
  const there = new Set((await cache.keys()).map(({ url }) => url));
  const missing = Object.keys(build.files).filter((path) => !there.has(scope + path));
  const earlier = missing.length > 0 ? await earlierFiles() : new Map();
  for (const path of missing) await keep(path, earlier.get(listed[path]));
}

/** @returns {Promise<Map<string | null, Response>>} by digest */
async function earlierFiles() {
  const names = (await caches.keys()).filter((name) => isDeployment(name) && name !== ownCache);
  const responses = await Promise.all(names.map(async (name) => (await caches.open(name)).matchAll()));
  return new Map(responses.flat().map((response) => [response.headers.get(DIGEST), response]));
}

/**
 * The path below the scope of a request that is this worker's business, else null.
 *
 * @param {Request} request
 */
function pathOf({ url, method, headers }) {
  const { origin, pathname } = new URL(url);
  const address = origin + pathname;
  if (method !== "GET" || headers.has("range") || !address.startsWith(scope)) return null;
  const path = address.slice(scope.length) || "index.html";
  return path in listed || path.startsWith("app-") ? path : null;
}

/**
 * @param {FetchEvent} event
 * @param {string} path
 */
async function answer({ request, clientId }, path) {
  try {
    const app = request.mode === "navigate" ? await currentApp() : (appIn(path) ?? (await appOfClient(clientId)));
    const kept = await caches.match(scope + path, { cacheName: cacheOf(app) });
    if (kept) return kept;
    if (path in listed) return await keep(path);
  } catch {
    // No room, no storage, or a host that has another deployment by now: the network decides.
  }
  const response = await fetch(request);
  // A redirection of a page is the browser's to follow.
  return response.type === "opaqueredirect" ? response : copyOf(response, {});
}

/**
 * Fetches a listed file and keeps it. Its content is checked on the way: a sign-in page or half a file is an error.
 *
 * @param {string} path
 * @param {Response} [same] the same content, not yet read
 */
async function keep(path, same) {
  const cache = await caches.open(ownCache);
  const integrity = listed[path];
  const response = same?.bodyUsed === false ? same : await fetch(scope + path, { integrity, cache: "no-cache" });
  if (!response.ok) throw new Error(`${path}: status ${response.status}`);
  const copy = copyOf(response, { [DIGEST]: integrity });
  // Whatever type the host gives it; with this one it is compiled while it is read.
  if (path.endsWith(".wasm")) copy.headers.set("content-type", "application/wasm");
  await cache.put(scope + path, copy.clone());
  return copy;
}

/**
 * Made anew, which also forgets that it was redirected: a page must not be answered so.
 *
 * @param {Response} response
 * @param {Record<string, string>} more
 */
function copyOf({ body, status, statusText, headers }, more) {
  const type = headers.get("content-type") ?? "application/octet-stream";
  return new Response(body, { status, statusText, headers: { "content-type": type, ...isolation, ...more } });
}

/** @param {string} address */
const appIn = (address) => /(?:^|\/)(app-[0-9a-f]+)\//.exec(address)?.[1] ?? null;

/** @param {string} url */
const isPage = (url) => [scope, `${scope}index.html`].includes(url.replace(/[?#].*/, ""));

/** The deployment of whoever asks: a model's worker has it in its address, a page does not. @param {string} clientId */
async function appOfClient(clientId) {
  const client = clientId === "" ? undefined : await sw.clients.get(clientId);
  return appIn(client?.url ?? "") ?? currentApp();
}

/** Drops the copies of earlier deployments that no open page runs. */
async function dropUnused() {
  const current = cacheOf(await currentApp());
  const names = (await caches.keys()).filter((name) => isDeployment(name) && name !== current);
  // One of them may be that of a deployment that is just arriving: then it is that one's turn.
  if (names.length === 0 || sw.registration.installing) return;
  const { held = [] } = await navigator.locks.query();
  const inUse = held.map(({ name = "" }) => name).filter(isDeployment);
  const windows = await sw.clients.matchAll({ type: "window", includeUncontrolled: true });
  // A page that has not yet taken its lock may be of any deployment.
  if (windows.filter(({ url }) => isPage(url)).length > inUse.length) return;
  for (const name of names.filter((name) => !inUse.includes(name))) await caches.delete(name);
}
