/**
 * The part of update() that looks closer at one sampling step: columns, the number that decides, two tokens compared, any
 * token found, many draws; and the worked example. Pure, like the rest of it.
 */

import { unescaped } from "./controls.js";
import { updateExample } from "./example.js";

/** @import { ExampleEvent } from "./example-types.js" */
/** @import { BenchEvent, Finder, State } from "./page-types.js" */
/** @import { Event, Select } from "./protocol.js" */

/** Rows of a page of ranks; what a text finds has two. */
export const pageRows = 10;

/** @satisfies {Partial<State>} */
export const initialBench = {
  benchOpen: false,
  columns: /** @type {State["columns"]} */ ([]),
  dice: null,
  diceUsed: null,
  chosen: /** @type {State["chosen"]} */ ([]),
  comparison: { revision: 0, result: null },
  finder: { by: /** @type {const} */ ("text"), text: "", revision: 0, result: null },
  draws: null,
};

/** What belongs to the tokens of one model. @satisfies {Partial<State>} */
export const withoutTokens = {
  chosen: initialBench.chosen,
  comparison: initialBench.comparison,
  finder: initialBench.finder,
  draws: null,
};

/** @param {State} state @param {BenchEvent | ExampleEvent} event @returns {State} */
export function updateBench(state, event) {
  switch (event.type) {
    case "benchToggled": {
      if (state.benchOpen === event.open) return state;
      const { bench: code, ...others } = state.panelCode;
      // Code that did not come is asked for again when it is opened again.
      return { ...state, benchOpen: event.open, panelCode: code === "failed" ? others : state.panelCode };
    }
    case "columnToggled": {
      const columns = state.columns.filter((column) => column !== event.column);
      return { ...state, columns: columns.length < state.columns.length ? columns : [...columns, event.column] };
    }
    case "diceMoved":
      return { ...state, dice: event.uniform, touched: true };
    case "tokenChosen":
      return { ...state, chosen: chosenWith(state.chosen, event.token), comparison: { revision: 0, result: null } };
    case "compareSent": {
      const revision = state.revision + 1;
      return { ...state, revision, comparison: { ...state.comparison, revision } };
    }
    case "finderTyped": {
      const { by = state.finder.by, text = by === state.finder.by ? state.finder.text : "" } = event;
      const finder = { ...state.finder, by, text, revision: 0 };
      return { ...state, finder: selectOf(finder) === null ? { ...finder, result: null } : finder };
    }
    case "finderSent": {
      const revision = state.revision + 1;
      return { ...state, revision, finder: { ...state.finder, revision } };
    }
    case "drawsSent": {
      const runId = state.lastRunId + 1;
      return { ...state, lastRunId: runId, draws: { runId, of: state.distribution, result: null } };
    }
    default:
      return updateExample(state, event);
  }
}

/** A third token takes the place of the first, and one that is chosen again is given up.
 * @param {State["chosen"]} chosen @param {State["chosen"][number]} token
 */
function chosenWith(chosen, token) {
  const others = chosen.filter(({ id }) => id !== token.id);
  return others.length < chosen.length ? others : [...others, token].slice(-2);
}

/** @param {State} state @param {Extract<Event, { type: "shown" | "compared" }>} event @returns {State} */
export function shownOrCompared(state, event) {
  if (event.type === "shown") {
    if (event.revision !== state.finder.revision) return state;
    return { ...state, finder: { ...state.finder, result: event.distribution } };
  }
  const { comparison, chosen } = state;
  const same = chosen[0]?.id === event.firstId && chosen[1]?.id === event.secondId;
  if (event.revision !== comparison.revision || !same) return state;
  return { ...state, comparison: { ...comparison, result: event.comparison } };
}

/** @param {State} state @param {Extract<Event, { type: "answered" }>} event @returns {State} */
export function drawn(state, { runId, answer }) {
  if (answer.method !== "draws" || runId !== state.draws?.runId) return state;
  return { ...state, draws: { ...state.draws, result: answer.result } };
}

/** What the finder asks for; null where nothing sensible is typed.
 * @param {Finder} finder @returns {Select | null}
 */
export function selectOf({ by, text }) {
  if (text === "") return null;
  if (by === "text") return { text: { text: unescaped(text), count: 2 * pageRows } };
  const number = /^\s*\d{1,9}\s*$/.test(text) ? Number(text) : null;
  if (number === null || (by === "rank" && number === 0)) return null;
  return by === "id" ? { ids: [number] } : { ranks: { first: number - 1, count: pageRows } };
}
