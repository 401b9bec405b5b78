/** What the A/B panel can be asked for: it changes its own part of the state and sets runs going. */

import { createLabWork } from "../lab-work.js";
import { fromLink, greedyAgainstSeeded, pageConfiguration, starts } from "./configuration.js";
import { benchmark } from "./benchmark.js";
import { announcement } from "./benchmark-words.js";
import { compare, sample } from "./run.js";
import { initialAb, linkOf, updateAb } from "./state.js";
import { differenceSentence, seriesSentence, verdict } from "./verdict.js";
import { words } from "../words/ab.js";

/** @import { LabParts } from "../panels.js" */
/** @import { State } from "../page-types.js" */
/** @import { Bench } from "./run.js" */
/** @import { AbEvent, AbState, Side, Work } from "./types.js" */

/** @typedef {ReturnType<typeof createAbActions>} AbActions */

/** What the panel shows before anything is done there: the link's pair, else greedy against seeded.
 * @param {Pick<State, "ab" | "abLink" | "catalogue" | "controls" | "model" | "uncached">} state @returns {AbState}
 */
export function abOf(state) {
  if (state.ab !== null) return state.ab;
  const entries = state.catalogue?.models ?? [];
  const [a, b] = state.abLink ?? [];
  if (a !== undefined && b !== undefined) return initialAb([fromLink(a, entries), fromLink(b, entries)]);
  return initialAb(greedyAgainstSeeded(pageConfiguration(state)));
}

/** @param {LabParts} parts */
export function createAbActions(parts) {
  const { getState, dispatch: dispatchToPage, actions: page } = parts;
  const get = () => abOf(getState());
  /** @param {AbEvent} event */
  function dispatch(event) {
    const ab = updateAb(get(), event);
    dispatchToPage({ type: "abChanged", ab, link: linkOf(ab) });
  }
  const { run: start, stop, announce } = createLabWork(parts, {
    started: (kind) => dispatch({ type: "started", kind: /** @type {Work["kind"]} */ (kind) }),
    progressed: (doing) => dispatch({ type: "progressed", words: doing }),
    stopAsked: () => dispatch({ type: "stopAsked" }),
    ended: (fault) => dispatch({ type: "ended", fault }),
  });

  /**
   * @param {Work["kind"]} kind
   * @param {(bench: Bench, prompt: string) => Promise<string>} work answers with what is to be announced
   */
  async function run(kind, work) {
    const { prompt } = getState();
    if (prompt !== "") await start(kind, (bench) => work(bench, prompt));
  }

  return {
    /** @param {Side} side @param {Extract<AbEvent, { type: "configured" }>["values"]} values */
    choose: (side, values) => dispatch({ type: "configured", side, values }),
    /** @param {Side} side @param {Partial<State["controls"]>} controls */
    setControls: (side, controls) => dispatch({ type: "configured", side, values: {}, controls }),
    /** @param {Side} side @param {Extract<AbEvent, { type: "typed" }>["name"]} name @param {string} text */
    type: (side, name, text) => dispatch({ type: "typed", side, name, text }),
    /** @param {string} text */
    typeCount: (text) => dispatch({ type: "countTyped", text }),
    leave: () => dispatch({ type: "left" }),
    swap: () => dispatch({ type: "swapped" }),
    /** @param {Side} side */
    chooseSubject: (side) => dispatch({ type: "subjectChosen", side }),

    /** @param {Side} side @param {string} id of a start, or "page" */
    startFrom(side, id) {
      const start = starts.find((candidate) => candidate.id === id);
      if (start) dispatch({ type: "configured", side, values: {}, controls: start.values });
      if (id !== "page") return;
      const { controls, ...values } = pageConfiguration(getState());
      dispatch({ type: "configured", side, values, controls });
    },

    run: () =>
      run("pair", async (bench, prompt) => {
        const comparison = await compare("pair", get().pair, prompt, bench);
        dispatch({ type: "compared", comparison });
        const { difference } = comparison;
        return difference === null ? verdict(comparison) : `${verdict(comparison)} ${differenceSentence(difference)}`;
      }),

    runTwice: () =>
      run("twice", async (bench, prompt) => {
        const { pair, subject } = get();
        const comparison = await compare("twice", [pair[subject], pair[subject]], prompt, bench);
        dispatch({ type: "compared", comparison });
        return verdict(comparison);
      }),

    runSamples: () =>
      run("samples", async (bench, prompt) => {
        const { pair, subject, sampleCount } = get();
        const series = await sample(pair[subject], subject, sampleCount, prompt, bench);
        dispatch({ type: "sampled", series });
        return seriesSentence(series);
      }),

    /** @param {Extract<AbEvent, { type: "planTyped" }>["name"]} name @param {string} text */
    typePlan: (name, text) => dispatch({ type: "planTyped", name, text }),
    toggleForced: () => dispatch({ type: "forcedToggled" }),

    runBenchmark: () =>
      run("benchmark", async (bench, prompt) => {
        const { pair, plan } = get();
        const measured = await benchmark(pair, plan, prompt, bench);
        dispatch({ type: "benchmarked", benchmark: measured });
        return announcement(measured);
      }),

    stop,

    /** Sets the seed of a sample, there and on the page. @param {Side} side @param {number} seed */
    useSeed(side, seed) {
      dispatch({ type: "configured", side, values: {}, controls: { seed } });
      page.setControls({ seed });
      announce(words.repeats.used(seed, words.sides[side]));
    },
  };
}
