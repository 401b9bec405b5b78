/** Words of the lab report: what asks for it, and the report itself, as it is printed and as Markdown. */

import { inLanguage } from "./language.js";

export const words = inLanguage("records-report", {
  form: {
    heading: "Lab report",
    about:
      "Date, your name, the models with their digests, the records above, the charts that open panels show, and your " +
      "predictions, answers and notes of the lab sheets.",
    name: "Your name (kept on this device only)",
    asMarkdown: "Download as Markdown",
    print: "Print the report",
  },

  title: "Logit Lab: lab report",
  date: (/** @type {string} */ date) => `Date: ${date}`,
  name: (/** @type {string} */ student) => `Name: ${student}`,
  models: "Models",
  /** @param {string} model @param {string} revision */
  revision: (model, revision) => `${model}, revision ${revision}`,
  fileColumns: ["File", "Bytes", "SHA-256"],
  records: "Records",
  columns: {
    record: "Record",
    model: "Model",
    settings: "Settings",
    seed: "Seed",
    prompt: "Prompt",
    text: "Text",
    newTokens: "New tokens",
    reason: "Why it ended",
    speed: "Tokens/s",
    speedAfterFirst: "Tokens/s after the first",
    repeated: "Repeated",
  },
  charts: "Charts",
  /** One that has no title of its own. */
  chart: "Chart",
  answers: "Predictions and answers",
  answerColumns: ["Sheet", "Step", "Question", "Prediction", "Answer", "Checked"],
  right: "right",
  notRight: "not right",
  notes: "Notes",
});
