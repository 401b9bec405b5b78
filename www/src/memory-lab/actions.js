/** What the memory panel can be asked for. */

import { createLabCalls } from "../lab-calls.js";
import { Fault } from "../fault.js";
import { readNumber } from "../format.js";
import { words as labWords } from "../words/lab-work.js";
import { words } from "../words/memory.js";
import { budgetLines } from "./numbers.js";

/** @import { LabParts } from "../panels.js" */
/** @import { State } from "../page-types.js" */
/** @import { BudgetLine, MemoryLab } from "./types.js" */

/** @typedef {ReturnType<typeof createMemoryActions>} MemoryActions */

/** The lesson's invented device of 8 GiB, to begin with. @type {MemoryLab} */
export const initialMemoryLab = {
  use: null,
  browser: null,
  typed: {},
  faults: {},
  context: null,
  batch: 1,
  device: 8,
  budget: { weights: 4, cache: 1.5, activations: 0.75, workspace: 0.5, other: 0.5 },
};

/** @param {Pick<State, "memoryLab">} state */
export const memoryLabOf = (state) => state.memoryLab ?? initialMemoryLab;

/** Whole numbers within bounds, and sizes in GiB. @type {Record<"context" | "batch", [number, number]>} */
const wholeRanges = { context: [1, 1_000_000], batch: [1, 4096] };
const mostGib = 1_000_000;

/**
 * The browser's own measure of this page with its workers; only pages that are isolated from others have it.
 * @typedef {{ measureUserAgentSpecificMemory?: () => Promise<{ bytes: number }> }} MeasuringPerformance
 */
export const canMeasureBrowser = () =>
  globalThis.crossOriginIsolated === true &&
  typeof (/** @type {MeasuringPerformance} */ (performance).measureUserAgentSpecificMemory) === "function";

/** @param {LabParts} parts */
export function createMemoryActions({ getState, dispatch, eachChange, client }) {
  const calls = createLabCalls(client);
  const get = () => memoryLabOf(getState());
  /** @param {Partial<MemoryLab>} change */
  const change = (change) => dispatch({ type: "labChanged", name: "memoryLab", value: { ...get(), ...change } });
  let asking = false;

  /** Asks the engine what it has; it answers when no run is under way. */
  async function look() {
    const { activeWorkerId } = getState();
    if (asking || activeWorkerId === null) return;
    asking = true;
    try {
      const { result } = await calls.ask(activeWorkerId, { method: "memoryUse" });
      if (getState().activeWorkerId === activeWorkerId) change({ use: result });
    } catch {
      // A worker that is gone: the next one is asked when it is there.
    } finally {
      asking = false;
    }
  }

  eachChange((state, before) => {
    if (before.activeWorkerId !== null && state.activeWorkerId !== before.activeWorkerId)
      calls.lose(before.activeWorkerId, new Fault("crashed", words.modelSwitched));
    const names = /** @type {const} */ (["memory", "activeWorkerId", "run", "distribution"]);
    if (names.some((name) => state[name] !== before[name])) queueMicrotask(look);
  });
  queueMicrotask(look);

  /** @param {string} name @param {string} text @param {string} fault */
  function refuse(name, text, fault) {
    const { typed, faults } = get();
    change({ typed: { ...typed, [name]: text }, faults: { ...faults, [name]: fault } });
  }

  /** @param {string} name @param {string} text @returns {Pick<MemoryLab, "typed" | "faults">} */
  function taken(name, text) {
    const { typed, faults } = get();
    const { [name]: _, ...others } = faults;
    return { typed: { ...typed, [name]: text }, faults: others };
  }

  return {
    look,

    /** @param {"context" | "batch"} name @param {string} text */
    typeWhole(name, text) {
      const [least, most] = wholeRanges[name];
      const value = readNumber(text, true);
      if (!Number.isInteger(value) || value < least || value > most)
        refuse(name, text, labWords.wholeNumber(least, most));
      else change({ ...taken(name, text), [name]: value });
    },

    /** @param {BudgetLine | "device"} name @param {string} text */
    typeGib(name, text) {
      const value = readNumber(text);
      if (!(value >= 0 && value <= mostGib)) refuse(name, text, words.budget.noGib);
      else if (name === "device") change({ ...taken(name, text), device: value });
      else change({ ...taken(name, text), budget: { ...get().budget, [name]: value } });
    },

    /** What is in force is written its own way again. */
    leave() {
      const { typed, faults } = get();
      change({ typed: Object.fromEntries(Object.entries(typed).filter(([name]) => faults[name] !== undefined)) });
    },

    resetBudget() {
      const { device, budget } = initialMemoryLab;
      const names = ["device", ...budgetLines];
      /** @param {Record<string, string>} texts */
      const without = (texts) => Object.fromEntries(Object.entries(texts).filter(([name]) => !names.includes(name)));
      change({ device, budget, typed: without(get().typed), faults: without(get().faults) });
    },

    async measureBrowser() {
      const { measureUserAgentSpecificMemory } = /** @type {MeasuringPerformance} */ (performance);
      if (!canMeasureBrowser() || measureUserAgentSpecificMemory === undefined) return;
      change({ browser: { state: "asking" } });
      try {
        const { bytes } = await measureUserAgentSpecificMemory.call(performance);
        change({ browser: { state: "measured", bytes } });
      } catch {
        change({ browser: { state: "refused" } });
      }
    },
  };
}
