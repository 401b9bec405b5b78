/** @import { Catalogue, CatalogueEntry, ModelSource } from "../messages.js" */
import { Fault } from "../fault.js";
import { download } from "./download.js";
import { Retries } from "./retry.js";
import { ModelStore } from "./store.js";

/**
 * Reads models/catalogue.json beside the page; `?hub=` in the page's address replaces the hub's address.
 *
 * @param {URL} pageUrl
 * @returns {Promise<Catalogue>}
 */
export async function loadCatalogue(pageUrl) {
  const url = new URL("models/catalogue.json", pageUrl).href;
  const signal = new AbortController().signal;
  const options = { signal, expectedBytes: null, exact: false, retries: new Retries(), onBytes() {} };
  const bytes = await download(url, { ...options, cache: "no-cache" });
  /** @type {Catalogue} */
  let catalogue;
  try {
    catalogue = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw new Fault("wrongBody", "The list of models, catalogue.json, is not JSON.", {
      subject: "catalogue.json",
      url,
    });
  }
  return { ...catalogue, hub: hubAddress(catalogue.hub, pageUrl) };
}

/**
 * Where an entry can be had: a copy that this browser keeps, the folder on the page's own host, else the hub, which is
 * not asked; null if nowhere. No other host than the page's own is contacted here.
 *
 * @param {CatalogueEntry} entry
 * @param {URL} pageUrl
 * @param {ModelStore} [store]
 * @returns {Promise<"host" | "store" | "hub" | null>}
 */
export async function findEntry(entry, pageUrl, store = new ModelStore()) {
  if (await store.has(entry)) return "store";
  if (entry.bundled || (await isOnHost(entry, pageUrl))) return "host";
  return entry.hub ? "hub" : null;
}

/**
 * What to ask a worker for.
 *
 * @param {Catalogue} catalogue
 * @param {CatalogueEntry} entry
 * @param {"host" | "store" | "hub"} from as found by findEntry
 * @param {URL} pageUrl
 * @returns {ModelSource}
 */
export function entrySource(catalogue, entry, from, pageUrl) {
  // A kept copy that turns out damaged is fetched again, from where this entry is usually fetched.
  const origin = from === "store" ? fetchOrigin(entry) : from;
  const { repository, revision } = entry.hub ?? {};
  const base =
    origin === "hub" ? `${catalogue.hub}/${repository}/resolve/${revision}/` : new URL(entry.host, pageUrl).href;
  return { kind: "catalogue", entry, from, base };
}

/**
 * A folder by its address, absolute or relative to the page.
 *
 * @param {string} address
 * @param {URL} pageUrl
 * @returns {ModelSource}
 */
export function folderSource(address, pageUrl) {
  const base = httpUrl(address, pageUrl);
  if (base === null) {
    throw new Fault("unknownModel", `"${address}" is neither a model of the catalogue nor the address of a folder.`, {
      subject: address,
    });
  }
  if (!base.pathname.endsWith("/")) base.pathname += "/";
  return { kind: "folder", base: base.href };
}

/**
 * Where an entry is fetched that is not kept by the browser.
 *
 * @param {CatalogueEntry} entry
 * @returns {"host" | "hub"}
 */
export function fetchOrigin(entry) {
  return entry.hub && !entry.bundled ? "hub" : "host";
}

/**
 * @param {string} standard
 * @param {URL} pageUrl
 */
function hubAddress(standard, pageUrl) {
  const wanted = pageUrl.searchParams.get("hub") ?? standard;
  const url = httpUrl(wanted, pageUrl);
  if (url === null) {
    throw new Fault("unknownModel", `"${wanted}" is no http or https address of a hub.`, { subject: wanted });
  }
  return (url.origin + url.pathname).replace(/\/+$/, "");
}

/**
 * @param {string} address
 * @param {URL} pageUrl
 */
function httpUrl(address, pageUrl) {
  if (!URL.canParse(address, pageUrl.href)) return null;
  const url = new URL(address, pageUrl);
  return url.protocol === "http:" || url.protocol === "https:" ? url : null;
}

/**
 * A small file stands for the folder: it must be there and have its length, for some hosts answer anything with a page.
 *
 * @param {CatalogueEntry} entry
 * @param {URL} pageUrl
 */
async function isOnHost(entry, pageUrl) {
  const url = new URL("config.json", new URL(entry.host, pageUrl)).href;
  const signal = new AbortController().signal;
  try {
    const expectedBytes = entry.files["config.json"].bytes;
    await download(url, { signal, expectedBytes, exact: true, cache: "no-cache", onBytes() {} });
    return true;
  } catch {
    // Whatever is wrong with the copy on the host, the model has to come from elsewhere.
    return false;
  }
}
