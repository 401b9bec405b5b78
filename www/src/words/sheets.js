/** Words around the lab sheets: their list, the steps, predictions and answers. What is in a sheet is in sheets/content. */

import { inLanguage } from "./language.js";

const noModel = "a model with a tokenizer";

export const words = inLanguage("sheets", {
  list: {
    about:
      "Small exercises on the real engine. You predict, then see. Answers and notes stay in this browser, and nothing is sent.",
    label: "Lab sheets",
    /** @param {number} number @param {string} title */
    title: (number, title) => `${number}. ${title}`,
    /** @param {number} minutes @param {string} progress */
    length: (minutes, progress) => `${minutes} minutes; ${progress}`,
    notes: "Your notes",
    erase: "Erase the notebook…",
    eraseLabel: "Erase the notebook",
    eraseWarning: "Notes, predictions and answers in this browser will be gone for good.",
    eraseYes: "Erase everything",
    eraseNo: "Keep it",
    erased: "The notebook is empty.",
  },

  progress: {
    allDone: "all steps done",
    notBegun: "not begun",
    /** @param {number} done @param {number} all */
    some: (done, all) => `${done} of ${all} steps done`,
  },

  sheet: {
    all: "All sheets",
    copyLink: "Copy a link",
    linkCopied: "Link copied",
    /** After the words of that button, for ears. @param {string} title */
    linkTo: (title) => ` that opens the sheet ${title}`,
    /** @param {string} about @param {number} minutes @param {string} progress */
    about: (about, minutes, progress) => `${about} About ${minutes} minutes; ${progress}.`,
    /** @param {number} number @param {number} all */
    step: (number, all) => `Step ${number} of ${all}`,
    back: "Back",
    next: "Next step",
    done: "Done: all sheets",
  },

  step: {
    setsLabel: "Set the page",
    predictFirst: (/** @type {string} */ question) => `Predict first. ${question}`,
    commit: "Commit this prediction",
    final: "It cannot be changed afterwards; a wrong one costs nothing.",
    predicted: "You predicted:",
    cameOut: "What came out:",
    asPredicted: "As you predicted.",
    notAsPredicted: "Not as you predicted.",
    /** The prediction and what came out, for ears. @param {string} prediction @param {string} outcome */
    outcome: (prediction, outcome) => `You predicted: ${prediction}. ${outcome}`,
    commitFirst: "Commit your prediction first.",
    committed: "Committed. Now run the loop.",
    waits: `It waits for ${noModel}.`,
    runLoop: "Run your loop",
    work: "this step's work",
    factsLabel: "What the engine says",
  },

  answer: {
    check: "Check",
    keep: "Keep in the notebook",
    kept: "Kept.",
    right: "Right.",
    notYet: "Not yet.",
    /** @param {string} answer @param {string} lead Right, Not yet or Kept */
    last: (answer, lead) => `Your last answer: ${answer}. ${lead}`,
    waits: `The answer is checked against the engine, which waits for ${noModel}.`,
    runFirst: "Run the loop first: the answer is checked against what it made.",
    chooseFirst: "Choose one first.",
    typeFirst: "Type a number first.",
    writeFirst: "Write something first.",
    /** Four ways of writing a number. @param {[string, string, string, string]} examples */
    noNumber: ([whole, decimal, fraction, percent]) =>
      `That is not read as a number: ${whole}, ${decimal}, ${fraction} and ${percent} are.`,
    /** @param {string} value as typed @param {string} unit */
    withUnit: (value, unit) => `${value} ${unit}`,
  },

  engine: {
    noModel: `The sheets need ${noModel}.`,
    reading: "Reading the model's files",
    loading: "Loading the changed bundle in a second worker",
    noFiles: "The files of the model in use were not found.",
    noFile: (/** @type {string} */ name) => `The model in use has no ${name}.`,
    noRoom: (/** @type {number} */ tokens) =>
      `This step needs ${tokens} new tokens, and this model's context has no room for them.`,
  },
});
