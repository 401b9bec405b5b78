/** What the panel "Records and report" can be asked for: it records runs, repeats records, reads files and hands out files. */

import { copyText } from "../copy.js";
import { createLabWork, workEventsOf } from "../lab-work.js";
import { words } from "../words/records.js";
import { chartsShown } from "./charts.js";
import { groupsOf, groupWords } from "./class-table.js";
import { csv, runsCsv, tokensCsv } from "./csv.js";
import { download } from "./download.js";
import { markdownOf } from "./markdown.js";
import { mostFileBytes, mostFiles, mostRecords, readRecords, tooLong } from "./read.js";
import { buildName, engineVersion, factsNow, recordOf } from "./record.js";
import { prospects, replay, resultOf, resultSentence } from "./repeat.js";
import { reportOf } from "./report.js";
import { initialRecords, keptRecord, withChange, withRecord, withTextsSoFar } from "./state.js";
import { written } from "./written.js";

/** @import { LabParts } from "../panels.js" */
/** @import { LabTable } from "./tables.js" */
/** @import { ClassColumn, KeptRecord, RecordsLab } from "./types.js" */

/** @typedef {ReturnType<typeof createRecordsActions>} RecordsActions */

/** On this device only, and no longer than the browser keeps it. */
const studentKey = "logit-lab-student";
const longestName = 200;
const json = "application/json";
const csvType = "text/csv;charset=utf-8";

/** @param {LabParts} parts */
export function createRecordsActions(parts) {
  const { getState, dispatch, eachChange } = parts;
  const get = () => getState().recordsLab ?? initialRecords;
  /** @param {RecordsLab} value */
  const set = (value) => dispatch({ type: "labChanged", name: "recordsLab", value });
  const { run, stop, announce } = createLabWork(parts, workEventsOf(get, set));

  eachChange((state, before) => {
    const ended = before.run !== null && state.run === null && state.text !== null && state.text.reason !== null;
    // Not inside the change itself: recording is a change of its own.
    if (ended) queueMicrotask(recordPresent);
  });

  function recordPresent() {
    const state = getState();
    const { text } = state;
    if (text && text.reason !== null && text.blocks.length > 0) set(withRecord(get(), text, recordOf(state, factsNow())));
  }

  /** @param {KeptRecord} kept @param {Partial<KeptRecord>} change */
  const change = (kept, change) => set(withChange(get(), kept, change));

  /** @param {KeptRecord} kept */
  async function repeat(kept) {
    const { record } = kept;
    const { hindrances, notes, holding } = prospects(record, getState(), { build: buildName, engineVersion });
    if (holding === null) {
      const fault = hindrances.join(" ");
      change(kept, { fault, result: null });
      announce(fault);
      return;
    }
    await run("repeat", async (tools) => {
      const result = resultOf(record, await replay(record, holding, tools), notes);
      change(kept, { result, fault: null });
      return resultSentence(result);
    });
  }

  /** @param {string} what @param {string} text */
  async function copy(what, text) {
    const ok = await copyText(text);
    set({ ...get(), copied: ok ? what : null });
    announce(ok ? words.copied : words.notCopied);
  }

  /** @param {File[]} files */
  async function readFiles(files) {
    const lab = get();
    const kept = [...lab.files];
    const refused = [];
    let number = kept.at(-1)?.number ?? 0;
    for (const [n, file] of files.entries()) {
      const answer =
        n >= mostFiles
          ? { fault: words.files.tooMany(mostFiles) }
          : file.size > mostFileBytes
            ? { fault: tooLong(file.size) }
            : readRecords(await file.text().catch(() => ""));
      if ("fault" in answer) refused.push({ file: file.name, sentence: answer.fault });
      else if (kept.length + answer.records.length > mostRecords)
        refused.push({ file: file.name, sentence: words.files.full(mostRecords) });
      else for (const record of answer.records) kept.push(keptRecord(++number, record, { file: file.name }));
    }
    set({ ...get(), files: kept, refused });
    announce(words.files.read(kept.length - lab.files.length, refused.length));
  }

  const report = () => reportOf(getState(), get(), new Date(), chartsShown());

  set(withTextsSoFar(getState(), factsNow(), { ...get(), student: savedStudent() }));

  return {
    repeat,
    stop,
    repeatNewest() {
      const newest = get().records.at(-1);
      if (newest) void repeat(newest);
    },
    report,

    /** @param {KeptRecord} kept */
    downloadRecord: ({ number, record }) => download(`logit-lab-record-${number}.json`, written(record), json),
    /** @param {KeptRecord} kept */
    downloadTokens: ({ number, record }) => download(`logit-lab-tokens-${number}.csv`, tokensCsv(record), csvType),
    /** @param {KeptRecord} kept */
    copyRecord: ({ number, record }) => copy(`record-${number}`, written(record)),
    downloadAll: () => download("logit-lab-records.json", written(get().records.map(({ record }) => record)), json),
    downloadRuns: () => download("logit-lab-runs.csv", runsCsv(get().records), csvType),
    copyRuns: () => copy("runs", runsCsv(get().records)),
    downloadClass() {
      const groups = groupsOf(get().files);
      const text = runsCsv(get().files, (kept) => groupWords(groups.get(kept)));
      download("logit-lab-class.csv", text, csvType);
    },
    /** @param {LabTable} table @param {"csv" | "json"} kind */
    downloadTable({ name, table: { columns, rows }, whole }, kind) {
      if (kind === "csv") download(`${name}.csv`, csv(columns, rows), csvType);
      else download(`${name}.json`, written(whole), json);
    },
    downloadReport: () => download("logit-lab-report.md", markdownOf(report()), "text/markdown;charset=utf-8"),
    print: () => globalThis.print(),

    readFiles,
    clearFiles() {
      set({ ...get(), files: [], refused: [] });
      announce(words.files.emptied);
    },
    /** @param {ClassColumn} column */
    sortBy(column) {
      const { sort } = get();
      const descending = sort.column === column && !sort.descending;
      set({ ...get(), sort: { column, descending } });
      announce(words.files.sorted(words.files.columns[column], descending, get().files.length));
    },
    /** @param {string} student */
    nameStudent(student) {
      const name = student.slice(0, longestName);
      set({ ...get(), student: name });
      try {
        if (name === "") localStorage.removeItem(studentKey);
        else localStorage.setItem(studentKey, name);
      } catch {
        // Without a store the name stays for as long as the page.
      }
    },
  };
}

function savedStudent() {
  try {
    return localStorage.getItem(studentKey) ?? "";
  } catch {
    return "";
  }
}
