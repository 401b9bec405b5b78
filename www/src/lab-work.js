/**
 * Work that a lab panel sets going: one piece at a time, with words on how far it is, a way to stop it, and its fault.
 */

import { Fault, pageErrorOf } from "./fault.js";
import { createLabCalls } from "./lab-calls.js";
import { createPlaces } from "./lab-places.js";
import { words } from "./words/lab-work.js";
import { words as spoken } from "./words/spoken.js";

/** @import { LabCalls } from "./lab-calls.js" */
/** @import { Holding, Place } from "./lab-places.js" */
/** @import { LabParts } from "./panels.js" */
/** @import { LabWork, PageError } from "./lab-types.js" */

/**
 * What a piece of work is given.
 * @typedef {object} WorkTools
 * @property {LabCalls} calls
 * @property {(holding: Holding) => Promise<Place>} placeOf a worker that holds these weights
 * @property {(doing: string) => void} report how far it is
 * @property {AbortSignal} signal
 */

/**
 * How the panel keeps it in its part of the state.
 * @typedef {object} WorkEvents
 * @property {(kind: string) => void} started
 * @property {(doing: string) => void} progressed
 * @property {() => void} stopAsked
 * @property {(fault: PageError | null) => void} ended
 */

/** @param {LabParts} parts @param {WorkEvents} events */
export function createLabWork(parts, events) {
  const { getState, dispatch, eachChange, client } = parts;
  const calls = createLabCalls(client);
  /** @type {AbortController | null} */
  let running = null;

  // A model that is switched away takes its worker with it.
  eachChange((state, before) => {
    if (before.activeWorkerId !== null && state.activeWorkerId !== before.activeWorkerId) {
      calls.lose(before.activeWorkerId, new Fault("crashed", words.modelSwitched));
    }
  });

  /** @param {string} text */
  const announce = (text) => dispatch({ type: "announced", text });

  return {
    calls,
    announce,

    /**
     * Does nothing while other work of the panel is under way, or without a model. Workers beside the page's are gone
     * afterwards, and faults are shown.
     * @param {string} kind
     * @param {(tools: WorkTools) => Promise<string>} work answers with what is to be announced
     */
    async run(kind, work) {
      if (running !== null || getState().activeWorkerId === null) return;
      running = new AbortController();
      const { signal } = running;
      events.started(kind);
      announce(spoken.working);
      const places = createPlaces(parts, events.progressed, signal);
      try {
        const sentence = await work({ calls, placeOf: places.placeOf, report: events.progressed, signal });
        events.ended(null);
        announce(sentence);
      } catch (error) {
        const fault = signal.aborted
          ? null
          : (pageErrorOf(error) ?? { code: "crashed", message: String(error), details: {} });
        events.ended(fault);
        announce(fault === null ? words.stopped : fault.message);
      } finally {
        places.end();
        running = null;
      }
    },

    stop() {
      events.stopAsked();
      running?.abort();
    },
  };
}

/** Work as a panel's state holds it, as a pure function of what happens to it. */
export const workChanges = {
  /** @template {string} K @param {K} kind */
  started: (kind) => ({ kind, words: words.starting, stopping: false }),
  /** @template {LabWork} W @param {W | null} work @param {string} doing @returns {W | null} */
  progressed: (work, doing) => (work === null || work.stopping ? work : { ...work, words: doing }),
  /** @template {LabWork} W @param {W | null} work @returns {W | null} */
  stopAsked: (work) => (work === null ? null : { ...work, words: words.stopping, stopping: true }),
};

/**
 * The events for a panel whose state holds `work` and `fault`. @template {{ work: LabWork | null, fault: PageError | null }} S
 * @param {() => S} get @param {(state: S) => void} set @returns {WorkEvents}
 */
export function workEventsOf(get, set) {
  return {
    started: (kind) => set({ ...get(), work: workChanges.started(kind), fault: null }),
    progressed: (doing) => set({ ...get(), work: workChanges.progressed(get().work, doing) }),
    stopAsked: () => set({ ...get(), work: workChanges.stopAsked(get().work) }),
    ended: (fault) => set({ ...get(), work: null, fault }),
  };
}
