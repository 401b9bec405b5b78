/**
 * What is said of its own accord, beside what actions say themselves: that a load or a search begins, and the answers that
 * appear somewhere else on the page than where a key was pressed. Whoever sees the page sees them; this is for ears.
 */

import { selectOf } from "./bench.js";
import { panelLabel } from "./panels.js";
import { words } from "./words/spoken.js";

/** @import { PageEvent, State } from "./page-types.js" */
/** @import { Distribution, Draws } from "./protocol.js" */

/** The rows of a prediction that are read. */
const readRows = 3;

/**
 * @param {{ eachChange: (listener: (state: State, before: State) => void) => void, dispatch: (event: PageEvent) => void }} deps
 */
export function createSpeaking({ eachChange, dispatch }) {
  /** What the last comparison and search that were read were about: sliders make them anew, and are not to repeat them. */
  let [compared, found] = [/** @type {unknown} */ (null), /** @type {unknown} */ (null)];
  eachChange((state, before) => {
    const sentences = heard(state, before);
    const { comparison, chosen, finder } = state;
    if (comparison.result !== null && comparison.result !== before.comparison.result && compared !== chosen) {
      compared = chosen;
      sentences.push(words.odds(chosen[0].spoken, chosen[1].spoken, comparison.result.odds));
    }
    const sought = `${finder.by} ${finder.text}`;
    if (finder.result !== null && finder.result !== before.finder.result && found !== sought && selectOf(finder) !== null) {
      found = sought;
      sentences.push(words.found(finder.result.tokens.ids.length));
    }
    for (const text of sentences) queueMicrotask(() => dispatch({ type: "announced", text }));
  });
}

/** @param {State} state @param {State} before */
export function heard(state, before) {
  /** @type {string[]} */
  const sentences = [];
  for (const { workerId, title } of state.loads) {
    const isNew = !before.loads.some((load) => load.workerId === workerId);
    // The same model in another engine has its own sentence.
    if (isNew && title !== state.model?.title) sentences.push(words.loading(title));
  }
  if (state.beams.runId !== null && before.beams.runId === null) sentences.push(words.beamsBegun);
  const { inspection, tokens } = state;
  if (inspection?.result && tokens && inspection.result !== before.inspection?.result) {
    const { distribution, nextId } = inspection.result;
    sentences.push(expected(tokens.spoken[inspection.position], distribution, nextId));
  }
  for (const [draws, drawnBefore] of [
    [state.draws, before.draws],
    [state.example.draws, before.example.draws],
  ]) {
    if (draws?.result && draws.result !== drawnBefore?.result) sentences.push(drawn(draws.result));
  }
  const { banLookup } = state;
  if (banLookup?.tokens && banLookup.tokens !== before.banLookup?.tokens && banLookup.text !== "")
    sentences.push(words.found(new Set(banLookup.tokens.ids).size));
  for (const [name, code] of Object.entries(state.panelCode)) {
    if (code === "failed" && before.panelCode[name] !== "failed") sentences.push(words.panelFailed(panelLabel(name)));
  }
  return sentences;
}

/** @param {string} token @param {Distribution} distribution @param {number | null} nextId */
function expected(token, { tokens, baseProbabilities, ranks }, nextId) {
  const rows = Array.from({ length: Math.min(readRows, tokens.ids.length) }, (_, row) =>
    words.likely(tokens.spoken[row], baseProbabilities[row]),
  );
  const row = nextId === null ? -1 : tokens.ids.indexOf(nextId);
  return words.expectedAfter(token, rows, row < 0 ? null : words.followed(tokens.spoken[row], ranks[row] + 1));
}

/** @param {Draws} result */
function drawn({ draws, tokens, counts, probabilities }) {
  const most = counts.indexOf(Math.max(...counts));
  return words.drawn(draws, tokens.spoken[most], counts[most], probabilities[most] * draws);
}
