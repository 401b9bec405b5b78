/** The worked example's part of update(). Pure, like the rest of it; how its input is read is in example-numbers.js. */

/** @import { Example, ExampleEvent, Outcome, Variant } from "./example-types.js" */
/** @import { PageError } from "./messages.js" */
/** @import { State } from "./page-types.js" */
/** @import { Event } from "./protocol.js" */

/** @type {Variant[]} */
export const variants = [
  { order: "temperatureFirst", boundary: "smallest" },
  { order: "temperatureFirst", boundary: "listing" },
  { order: "topPFirst", boundary: "smallest" },
  { order: "topPFirst", boundary: "listing" },
];

/** @type {Example} */
export const initialExample = {
  input: { logits: ["log 8", "log 4", "log 2", "log 1"], temperature: "1/2", topK: "", topP: "3/4" },
  shown: 0,
  runIds: [],
  outcomes: variants.map(() => null),
  draws: null,
};

/** @param {State} state @param {ExampleEvent} event @returns {State} */
export function updateExample(state, event) {
  const { example } = state;
  if (event.type === "exampleChanged") {
    const { input: change, shown = example.shown } = event;
    if (!change) return { ...state, example: { ...example, shown } };
    const input = { ...example.input, ...change };
    // Stages of another number of tokens would not fit the table.
    const fits = input.logits.length === example.input.logits.length;
    const outcomes = fits ? example.outcomes : initialExample.outcomes;
    return { ...state, example: { ...example, input, shown, outcomes, draws: null } };
  }
  if (event.type === "exampleDrawsSent") {
    const runId = state.lastRunId + 1;
    return { ...state, lastRunId: runId, example: { ...example, draws: { runId, variant: example.shown, result: null } } };
  }
  const runIds = variants.map((_, n) => state.lastRunId + 1 + n);
  return { ...state, lastRunId: state.lastRunId + variants.length, example: { ...example, runIds } };
}

/** @param {State} state @param {Extract<Event, { type: "answered" }>} event @returns {State} */
export function exampleAnswered(state, { runId, answer }) {
  const { example } = state;
  if (answer.method === "sampleStep") return withOutcome(state, runId, { step: answer.step });
  if (answer.method !== "draws" || runId !== example.draws?.runId) return state;
  return { ...state, example: { ...example, draws: { ...example.draws, result: answer.result } } };
}

/** The engine's refusal of a variant is part of the lesson, no problem of the page.
 * @param {State} state @param {number | null} runId @param {PageError} error @returns {State}
 */
export function exampleFailed(state, runId, error) {
  const { example } = state;
  if (runId === null) return state;
  if (runId === example.draws?.runId) return { ...state, example: { ...example, draws: null } };
  return withOutcome(state, runId, { fault: error.message });
}

/** @param {State} state @param {number} runId @param {Outcome} outcome @returns {State} */
function withOutcome(state, runId, outcome) {
  const variant = state.example.runIds.indexOf(runId);
  if (variant < 0) return state;
  const outcomes = state.example.outcomes.map((other, n) => (n === variant ? outcome : other));
  return { ...state, example: { ...state.example, outcomes } };
}
