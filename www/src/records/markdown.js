/**
 * The lab report as Markdown. Whatever a model, a student or a file has written is text in it and never markup: every
 * character that Markdown gives a meaning is escaped, and a line break stays inside its cell or paragraph.
 */

import { count } from "../format.js";
import { words } from "../words/records-report.js";
import { resultSentence } from "./repeat.js";
import { modelWords, reasonWords, seedWords, settingsWords, speedWords, tokensPerSecond } from "./words.js";

/** @import { LabReport } from "./report.js" */

/** @param {string} text on one line */
export const inline = (text) =>
  text
    // What cannot be seen can change how the rest is read, down to its direction.
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "")
    .replace(/\r\n?|[\u2028\u2029]/g, "\n")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replace(/[\\`*_{}[\]()#+\-.!|~:@$^=]/g, "\\$&")
    .replaceAll("\n", " ⏎ ")
    .replaceAll("\t", " ")
    .trim();

/** @param {string} text of several paragraphs */
const paragraphs = (text) =>
  text
    .split(/\r\n?|\n/)
    .map(inline)
    .join("\n\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();

/** @param {string[]} head @param {string[][]} rows whose cells are escaped already */
const table = (head, rows) => [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");

const heading = (/** @type {string} */ text) => `## ${text}`;

/** @param {LabReport} report */
export function markdownOf({ title, date, student, models, records, charts, notebook }) {
  const parts = [`# ${inline(title)}`, `${words.date(inline(date))}  \n${words.name(inline(student))}`];
  parts.push(heading(words.models));
  for (const { title: name, revision, files } of models) {
    parts.push(revision === null ? inline(name) : words.revision(inline(name), inline(revision)));
    parts.push(
      table(words.fileColumns, files.map(({ name: file, bytes, sha256 }) => [inline(file), count(bytes), sha256])),
    );
  }
  if (records.length > 0) {
    const { record, model, settings, seed, prompt, newTokens, text, reason, speedAfterFirst, repeated } = words.columns;
    parts.push(heading(words.records));
    parts.push(
      table(
        [record, model, settings, seed, prompt, newTokens, text, reason, speedAfterFirst, repeated],
        records.map(({ number, record, result, fault }) => [
          count(number),
          inline(modelWords(record)),
          inline(settingsWords(record)),
          inline(seedWords(record)),
          inline(record.prompt),
          count(record.newIds.length),
          inline(record.text ?? ""),
          inline(reasonWords(record.stopReason)),
          speedWords(tokensPerSecond(record)),
          inline(result ? resultSentence(result) : (fault ?? "")),
        ]),
      ),
    );
  }
  if (charts.length > 0) parts.push(heading(words.charts));
  for (const { title: name, svg } of charts) parts.push(`${inline(name)}\n\n![${inline(name)}](${dataAddress(svg)})`);
  if (notebook) {
    if (notebook.entries.length > 0) {
      parts.push(heading(words.answers));
      parts.push(
        table(
          words.answerColumns,
          notebook.entries.map(({ sheet, step, question, prediction, answer, correct }) =>
            [sheet, step, question, prediction ?? "", answer ?? "", checkedWords(correct)].map(inline),
          ),
        ),
      );
    }
    if (notebook.notes.trim() !== "") parts.push(heading(words.notes), paragraphs(notebook.notes));
  }
  return `${parts.join("\n\n")}\n`;
}

/** @param {boolean | null} correct */
export const checkedWords = (correct) => (correct === null ? "" : correct ? words.right : words.notRight);

/** @param {string} svg */
function dataAddress(svg) {
  let binary = "";
  for (const byte of new TextEncoder().encode(svg)) binary += String.fromCharCode(byte);
  return `data:image/svg+xml;base64,${btoa(binary)}`;
}
