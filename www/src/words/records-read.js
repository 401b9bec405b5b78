/** Why a file is no record. Names of its fields, and what was found in it, stand as the file has them. */

import { count, size } from "../format.js";
import { inLanguage } from "./language.js";

export const words = inLanguage("records-read", {
  notJson: "This is not JSON, so it is no record.",
  emptyList: "The list has no record in it.",
  /** @param {number} most @param {number} found */
  tooMany: (most, found) => `At most ${most} records can be read, ${count(found)} were found.`,
  /** @param {number} bytes @param {number} most */
  tooLong: (bytes, most) => `The file has ${size(bytes)}; a record has at most ${size(most)}.`,
  /** Where a fault is, in front of the field's name. */
  one: "record",
  ofList: (/** @type {number} */ number) => `record ${number}`,
  /** @param {string} path @param {string} schema */
  otherSchema: (path, schema) => `This is no record of Logit Lab: ${path}.schema is not "${schema}".`,
  /** @param {number} wanted @param {unknown} found */
  otherVersion: (wanted, found) =>
    `This page reads version ${wanted} of the record; this one has ${typeof found === "number" ? `version ${found}` : "no version"}.`,

  /** @param {string} path @param {string} expected @param {string} found */
  wrongKind: (path, expected, found) => `${path}: ${expected} was expected, ${found} was found.`,
  /** @param {string} path @param {number} most @param {number} found */
  tooManyEntries: (path, most, found) => `${path}: at most ${most} entries were expected, ${found} were found.`,
  /** @param {string} path @param {number} version @param {string} field */
  unknownField: (path, version, field) => `${path} has a field that version ${version} does not know: ${field}.`,
  /** @param {string} path @param {string} expected */
  missing: (path, expected) => `${path} is missing: ${expected} was expected.`,

  expected: {
    text: (/** @type {number} */ most) => `a text of at most ${most} characters`,
    flag: "true or false",
    real: "a number",
    share: "a number from 0 to 1",
    uniform: "a number from 0 to below 1",
    ms: "milliseconds, from 0",
    whole: "a whole number from 0",
    wholeTo: (/** @type {number} */ max) => `a whole number from 0 to ${max}`,
    digest: "a SHA-256 of 64 hexadecimal digits",
    among: (/** @type {string[]} */ values) => values.join(" or "),
    orNull: (/** @type {string} */ expected) => `${expected}, or null`,
    list: "a list",
    listOf: (/** @type {number} */ most) => `a list of at most ${most}`,
    object: "an object",
  },
  found: {
    nothing: "nothing",
    null: "null",
    list: "a list",
    text: "a text",
    number: (/** @type {number} */ value) => `the number ${value}`,
    object: "an object",
  },

  // What is of the right types and cannot be all the same.
  byHand: (/** @type {string} */ path, /** @type {number} */ tokens) =>
    `${path}.byHand: places among the ${count(tokens)} new tokens were expected, each once and in order.`,
  runs: (/** @type {string} */ path) =>
    `${path}.runs: runs in the order of their first tokens were expected, none of them put in by hand.`,
  columns: (/** @type {string} */ path, /** @type {number} */ tokens) =>
    `${path}.tokens: a value for each of the ${count(tokens)} new tokens was expected in every column.`,
  promptIds: (/** @type {string} */ path) => `${path}.promptIds: the ids of the prompt are missing.`,
  /** @param {string} path @param {number} expected @param {number | null} found */
  seed: (path, expected, found) =>
    `${path}.seed: that of the last run, ${expected}, was expected, ${found} was found.`,
  rowOrder: (/** @type {string} */ path) => `${path}.rowOrder: at least one row was expected.`,
});
