/** What the A/B panel can be asked for: it changes its own part of the state and sets runs going. */

import { Fault, pageErrorOf } from "../fault.js";
import { createLabCalls } from "../lab-calls.js";
import { startLabWorker } from "../lab-workers.js";
import { engineWords, fromLink, greedyAgainstSeeded, pageConfiguration, runsOnPage, starts } from "./configuration.js";
import { compare, sample } from "./run.js";
import { initialAb, linkOf, updateAb } from "./state.js";
import { differenceSentence, seriesSentence, verdict } from "./verdict.js";

/** @import { LabParts } from "../panels.js" */
/** @import { State } from "../page-types.js" */
/** @import { Bench, Place } from "./run.js" */
/** @import { AbEvent, AbState, Configuration, Side, Work } from "./types.js" */

/** @typedef {ReturnType<typeof createAbActions>} AbActions */

/** What the panel shows before anything is done there: the link's pair, else greedy against seeded.
 * @param {Pick<State, "ab" | "abLink" | "catalogue" | "controls" | "model">} state @returns {AbState}
 */
export function abOf(state) {
  if (state.ab !== null) return state.ab;
  const entries = state.catalogue?.models ?? [];
  const [a, b] = state.abLink ?? [];
  if (a !== undefined && b !== undefined) return initialAb([fromLink(a, entries), fromLink(b, entries)]);
  return initialAb(greedyAgainstSeeded(pageConfiguration(state)));
}

/** @param {LabParts} parts */
export function createAbActions({ getState, dispatch: dispatchToPage, eachChange, client, actions: page }) {
  const calls = createLabCalls(client);
  /** @type {AbortController | null} */
  let running = null;

  // A model that is switched away takes its worker with it.
  eachChange((state, before) => {
    if (before.activeWorkerId !== null && state.activeWorkerId !== before.activeWorkerId) {
      calls.lose(before.activeWorkerId, new Fault("crashed", "The page's model was switched while this was running."));
    }
  });

  const get = () => abOf(getState());
  /** @param {AbEvent} event */
  function dispatch(event) {
    const ab = updateAb(get(), event);
    dispatchToPage({ type: "abChanged", ab, link: linkOf(ab) });
  }
  /** @param {string} text */
  const announce = (text) => dispatchToPage({ type: "announced", text });

  /**
   * Sees to it that a model is at hand, that other workers are gone afterwards, and that faults are shown.
   * @param {Work["kind"]} kind
   * @param {(bench: Bench, prompt: string) => Promise<string>} work answers with what is to be announced
   */
  async function run(kind, work) {
    const { prompt, activeWorkerId } = getState();
    if (running !== null || activeWorkerId === null || prompt === "") return;
    running = new AbortController();
    const { signal } = running;
    dispatch({ type: "started", kind });
    const report = (/** @type {string} */ words) => dispatch({ type: "progressed", words });
    const others = otherWorkers(report, signal);
    try {
      const sentence = await work({ calls, placeOf: others.placeOf, report, signal }, prompt);
      dispatch({ type: "ended", fault: null });
      announce(sentence);
    } catch (error) {
      const stopped = signal.aborted;
      const fault = stopped ? null : (pageErrorOf(error) ?? { code: "crashed", message: String(error), details: {} });
      dispatch({ type: "ended", fault });
      announce(fault === null ? "Stopped." : fault.message);
    } finally {
      others.end();
      running = null;
    }
  }

  /**
   * Workers for what the page's own does not hold, one for each kind of weights. @param {Bench["report"]} report
   * @param {AbortSignal} signal
   */
  function otherWorkers(report, signal) {
    /** @type {Map<string, { place: Place, end: () => void }>} */
    const workers = new Map();
    return {
      /** @param {Configuration} configuration @returns {Promise<Place>} */
      async placeOf(configuration) {
        const { activeWorkerId, model, options, catalogue } = getState();
        if (activeWorkerId === null || model === null) throw new Fault("noModel", "No model is loaded.");
        if (runsOnPage(configuration, model))
          return { workerId: activeWorkerId, vocabulary: model.card.vocabSize, own: false };
        const { precision, kvCache, kernel, model: id } = configuration;
        const key = [id, precision, kvCache].join();
        const known = workers.get(key);
        if (known) return known.place;
        const words = `Loading ${engineWords("model", id, catalogue?.models ?? [])}, ${precision}, in a second worker`;
        report(words);
        const source = await page.sourceFor(id);
        if (source === null) throw new Fault("unknownModel", "That model was found neither here nor on the hub.");
        const worker = await startLabWorker(
          client,
          source,
          { ...options, precision, kvCache, kernel },
          {
            signal,
            onProgress: (share) => report(share === null ? words : `${words}: ${Math.round(share * 100)} %`),
          },
        );
        const place = { workerId: worker.workerId, vocabulary: worker.model.card.vocabSize, own: true };
        workers.set(key, { place, end: worker.end });
        return place;
      },
      end() {
        for (const { end } of workers.values()) end();
      },
    };
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

    stop() {
      dispatch({ type: "stopAsked" });
      running?.abort();
    },

    /** Sets the seed of a sample, there and on the page. @param {Side} side @param {number} seed */
    useSeed(side, seed) {
      dispatch({ type: "configured", side, values: {}, controls: { seed } });
      page.setControls({ seed });
      announce(`Seed ${seed} is set in ${side === 0 ? "A" : "B"} and on the page.`);
    },
  };
}
