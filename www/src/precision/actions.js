/** What the precision panel asks of the engine. Facts about numbers need no model; they are asked for as they are typed. */

import { pageErrorOf } from "../fault.js";
import { createLabWork, workEventsOf } from "../lab-work.js";
import { words as numberWords } from "../words/number-formats.js";
import { words } from "../words/precision.js";
import { initialPrecision, parseList, parseNumber, parseWhole, rowLabel } from "./state.js";

/** @import { PrecisionLab } from "../lab-types.js" */
/** @import { State } from "../page-types.js" */
/** @import { LabParts } from "../panels.js" */

/** @typedef {ReturnType<typeof createPrecisionActions>} PrecisionActions */
/** @typedef {"number" | "blocks" | "packed"} Section */

/** @param {Pick<State, "precisionLab">} state @returns {PrecisionLab} */
export const precisionOf = ({ precisionLab }) => precisionLab ?? initialPrecision;

/** @param {LabParts} parts */
export function createPrecisionActions(parts) {
  const { getState, dispatch, eachChange } = parts;
  const get = () => precisionOf(getState());
  /** @param {PrecisionLab} value */
  const set = (value) => dispatch({ type: "labChanged", name: "precisionLab", value });
  const { calls, run, stop } = createLabWork(parts, workEventsOf(get, set));

  /** @template {Section} S @param {S} section @param {Partial<PrecisionLab[S]>} change */
  const put = (section, change) => set({ ...get(), [section]: { ...get()[section], ...change } });

  /**
   * Asks for a section's result; an answer to what has been typed over meanwhile is dropped.
   * @template {Section} S @param {S} section
   * @param {(workerId: number) => Promise<PrecisionLab[S]["result"]>} ask
   */
  async function answer(section, ask) {
    const { activeWorkerId } = getState();
    if (activeWorkerId === null) return;
    const { result: _, fault: __, ...asked } = get()[section];
    const isCurrent = () => {
      const { result: _, fault: __, ...now } = get()[section];
      return JSON.stringify(now) === JSON.stringify(asked);
    };
    try {
      const result = await ask(activeWorkerId);
      if (isCurrent()) put(section, /** @type {Partial<PrecisionLab[S]>} */ ({ result, fault: null }));
    } catch (error) {
      const fault = pageErrorOf(error)?.message ?? String(error);
      if (isCurrent()) put(section, /** @type {Partial<PrecisionLab[S]>} */ ({ fault }));
    }
  }

  async function askMeanings() {
    const { activeWorkerId } = getState();
    if (activeWorkerId === null) return;
    try {
      const { meanings } = await calls.ask(activeWorkerId, { method: "fiveMeanings" });
      if (getState().activeWorkerId === activeWorkerId) set({ ...get(), meanings });
    } catch {
      // The worker is gone, and the page says so; the next model is asked again.
    }
  }

  function describe() {
    const { typed, largest } = get().number;
    const [value, shared] = [parseNumber(typed), parseNumber(largest)];
    if (value === null) return put("number", { fault: numberWords.number.noNumber });
    if (shared === null) return put("number", { fault: numberWords.number.noLargest });
    void answer("number", async (workerId) => {
      const call = /** @type {const} */ ({ method: "describeNumber", value, largest: shared });
      return (await calls.ask(workerId, call)).result;
    });
  }

  function quantise() {
    const { typed, size, format } = get().blocks;
    const { values, wrong } = parseList(typed);
    const blockSize = parseWhole(size);
    if (wrong !== null) return put("blocks", { fault: numberWords.blocks.noNumber(wrong.slice(0, 30)) });
    if (blockSize === null) return put("blocks", { fault: numberWords.blocks.noSize });
    void answer("blocks", async (workerId) => {
      const call = /** @type {const} */ ({ method: "quantizeBlock", values, blockSize, format });
      return (await calls.ask(workerId, call)).result;
    });
  }

  function pack() {
    const { weights, bits, group, scale } = get().packed;
    const [n, codeBits, size, scaleBytes] = [weights, bits, group, scale].map(parseWhole);
    if (n === null || codeBits === null || size === null || scaleBytes === null) {
      return put("packed", { fault: numberWords.packed.noWhole });
    }
    void answer("packed", async (workerId) => {
      const call = /** @type {const} */ ({ method: "packedBytes", weights: n, codeBits, group: size, scaleBytes });
      return (await calls.ask(workerId, call)).result;
    });
  }

  function askAll() {
    void askMeanings();
    describe();
    quantise();
    pack();
  }

  eachChange((state, before) => {
    if (state.activeWorkerId === before.activeWorkerId) return;
    set({ ...get(), meanings: null });
    askAll();
  });
  askAll();

  return {
    stop,

    /** @param {Partial<Omit<PrecisionLab["number"], "result" | "fault">>} change */
    changeNumber(change) {
      put("number", change);
      describe();
    },
    /** @param {Partial<Omit<PrecisionLab["blocks"], "result" | "fault">>} change */
    changeBlocks(change) {
      put("blocks", change);
      quantise();
    },
    /** @param {Partial<Omit<PrecisionLab["packed"], "result" | "fault">>} change */
    changePacked(change) {
      put("packed", change);
      pack();
    },

    /** @param {string} text */
    writeText: (text) => set({ ...get(), text }),
    /** @param {string} name @param {boolean} wanted */
    chooseRow(name, wanted) {
      const { rows } = get();
      set({ ...get(), rows: wanted ? [...rows, name] : rows.filter((other) => other !== name) });
    },

    compare: () =>
      run("report", async ({ calls, placeOf, report, signal }) => {
        const { text, rows } = get();
        const title = getState().model?.title ?? words.theModel;
        const { workerId } = await placeOf({});
        /** @param {number} done @param {number} total */
        const onProgress = (done, total) => {
          const row = Math.min(rows.length - 1, Math.floor((done / total) * rows.length));
          report(words.progress(rowLabel(rows[row]), row, rows.length, done / total));
        };
        const call = /** @type {const} */ ({ method: "precisionReport", prompt: { text }, precisions: rows });
        const { result } = await calls.ask(workerId, call, { onProgress, signal });
        set({ ...get(), report: { table: result, title, text, asked: rows.length } });
        const told = words.compared(result.rows.length, result.tokens);
        return signal.aborted ? words.stopped(told) : told;
      }),
  };
}
