/** Words of the panel "Records and report". */

import { count, counted } from "../format.js";
import { inLanguage } from "./language.js";

const records = (/** @type {number} */ n) => counted(n, { one: "record", other: "records" });

export const words = inLanguage("records", {
  about:
    "Each run of the page is recorded, with all that is needed to make it again. Generate a text, change one thing, clear the " +
    "text and generate again: this panel says what was changed, and where the texts part.",
  heading: "Records of this session",
  repeatNewest: "Repeat the newest record",
  repeatWork: "the repeat",
  generateFirst: "Generate a text first.",

  change: {
    heading: "Where does the behaviour live?",
    since: "Recording begins when this panel is opened; of earlier runs it shows those whose texts the page has kept.",
    noRun: "There is no run yet. After two, the first can be compared with the second.",
    oneRun: "There is one run. Change one thing, make another, and this place says what came of it.",
    /** @param {number} number @param {number} earlier */
    against: (number, earlier) => `Record ${number} against record ${earlier}.`,
    whatChanged: "What was changed:",
    tableLabel: "What was changed",
    columns: { layer: "Layer", what: "What", before: "Before", now: "Now" },
  },

  list: {
    downloadAll: "Download all as JSON",
    runsAsCsv: "Table of runs as CSV",
    copyTable: "Copy the table",
    tableCopied: "Table copied",
    /** @param {number} n @param {number} most */
    kept: (n, most) => `${records(n)} kept in this page's memory, at most ${most}; they are gone with the page.`,
    madeRoom: (/** @type {number} */ n) => `The oldest ${count(n)} made room.`,
    formulas: "In CSV, a text that a spreadsheet would take for a formula has an apostrophe in front.",
    record: (/** @type {number} */ number) => `Record ${number}`,
    /** @param {string} model @param {string} settings @param {string} seed */
    madeWith: (model, settings, seed) => `${model}; ${settings}; seed ${seed}`,
    /** @param {number} newTokens @param {string} reason @param {string} speed */
    outcome: (newTokens, reason, speed) =>
      `${counted(newTokens, { one: "new token", other: "new tokens" })}, ended: ${reason}; ${speed} tokens/s after the first (model and sampling)`,
    /** What is seen, and what only ears get. @param {number} number */
    repeat: (number) => ["Repeat this record", `, ${number}`],
    json: "JSON",
    tokensAsCsv: "Tokens as CSV",
    copyJson: "Copy JSON",
    jsonCopied: "Copied",
    /** After the names of those buttons, for ears. @param {number} number */
    ofRecord: (number) => ` record ${number}`,
    notHere: (/** @type {string} */ fault) => `It cannot be repeated here. ${fault}`,
    repeated: "Repeated.",
  },

  files: {
    heading: "Records from files",
    field: "Record files",
    drop: "Or drop them here: one record, or dozens of a class. Nothing is sent anywhere.",
    /** @param {number} n @param {number} texts */
    found: (n, texts) => `${records(n)}, ${counted(texts, { one: "distinct text", other: "distinct texts" })}.`,
    allSame: "All have the same tokens.",
    asCsv: "This table as CSV",
    clear: "Clear this table",
    columns: {
      file: "File",
      model: "Model",
      settings: "Settings",
      seed: "Seed",
      count: "New tokens",
      text: "Text",
      reason: "Why it ended",
      speed: "Tokens/s",
      group: "Same text",
    },
    repeat: "Repeat",
    /** @param {string | null} file @param {number} number */
    repeatOf: (file, number) => ` the record of ${file}, ${number}`,
    /** @param {number} text @param {number} n records that have it */
    group: (text, n) => (n === 1 ? `text ${text}, alone` : `text ${text}, in ${n} records`),
    tooMany: (/** @type {number} */ most) => `At most ${most} files are read at once.`,
    full: (/** @type {number} */ most) => `The table has at most ${most} records.`,
    /** @param {number} read @param {number} refused files */
    read: (read, refused) =>
      refused === 0
        ? `${records(read)} read.`
        : `${records(read)} read, ${counted(refused, { one: "file", other: "files" })} refused.`,
    emptied: "The table is empty.",
    /** @param {string} column @param {boolean} descending @param {number} rows */
    sorted: (column, descending, rows) =>
      `Sorted by ${column}, ${descending ? "descending" : "ascending"}: ${count(rows)} rows.`,
  },

  tables: {
    heading: "Tables of the other panels",
    about:
      "The newest outcome of the A/B benchmark, of the batch, of precisions compared and of the KV cache's two paths, each " +
      "with all its rows and with what was run.",
    none: "None of them has been run yet.",
    csv: "CSV",
    json: "JSON",
    ofTable: (/** @type {string} */ label) => ` of ${label}`,
    benchmark: "Benchmark of A and B",
    /** @param {number} runs @param {number} warmUps @param {boolean} complete */
    benchmarkNote: (runs, warmUps, complete) =>
      `every outcome in the order in which it was made: ${counted(runs, { one: "run", other: "runs" })}, ${warmUps} of them warm-ups${complete ? "" : ", stopped"}`,
    ownModel: "the page's",
    batch: "Batch",
    /** @param {number} requests @param {boolean} stopped */
    batchNote: (requests, stopped) =>
      `a row for each of ${counted(requests, { one: "request", other: "requests" })}${stopped ? ", stopped" : ""}`,
    precision: "Precisions compared",
    /** @param {number} rows @param {number} asked @param {string} model */
    precisionNote: (rows, asked, model) => `a row for each precision: ${rows} of ${asked}, ${model}`,
    cache: (/** @type {readonly string[]} */ paths) => `Two paths: ${paths.join(", ")}`,
    /** @param {number} rows @param {number} total */
    cacheNote: (rows, total) => `a row for each step: ${rows} of ${total}`,
  },

  copied: "Copied.",
  notCopied: "The browser did not allow copying. Download it instead.",
});
