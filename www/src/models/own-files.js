/** Files that a student chooses or drops: which they are, and whether they look like a model of the catalogue. */
/** @import { Catalogue, CatalogueEntry } from "../messages.js" */

/**
 * The catalogue's model all of whose files are among these, by name and length. Their digests are for the loader.
 *
 * @param {Pick<File, "name" | "size">[]} files
 * @param {Catalogue | null} catalogue
 * @returns {CatalogueEntry | null}
 */
export function entryOfFiles(files, catalogue) {
  const isThere = (/** @type {[string, { bytes: number }]} */ [name, { bytes }]) =>
    files.some((file) => file.name === name && file.size === bytes);
  return catalogue?.models.find((entry) => Object.entries(entry.files).every(isThere)) ?? null;
}

/**
 * The files of a drop, those of dropped folders included (of a folder itself, not of the folders in it).
 *
 * @param {DataTransfer} transfer
 * @returns {Promise<File[]>}
 */
export async function filesOfDrop({ items, files }) {
  // Asked at once: after the first await the drop is over and its items are empty.
  const entries = [...items].map((item) => item.webkitGetAsEntry?.() ?? null);
  const plain = [...files];
  if (!entries.some((entry) => entry?.isDirectory)) return plain;
  const found = await Promise.all(entries.map((entry) => (entry ? filesOf(entry) : [])));
  return found.flat();
}

/** @param {FileSystemEntry} entry @returns {Promise<File[]>} */
async function filesOf(entry) {
  if (entry.isFile) return [await fileOf(/** @type {FileSystemFileEntry} */ (entry))];
  const reader = /** @type {FileSystemDirectoryEntry} */ (entry).createReader();
  /** @type {File[]} */
  const files = [];
  for (;;) {
    // A folder is told in parts, and its end by an empty one.
    const part = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (part.length === 0) return files;
    for (const inner of part) if (inner.isFile) files.push(await fileOf(inner));
  }
}

/** @param {FileSystemFileEntry} entry @returns {Promise<File>} */
const fileOf = (entry) => new Promise((resolve, reject) => entry.file(resolve, reject));
