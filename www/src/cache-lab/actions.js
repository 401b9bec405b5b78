/** What the KV cache's panel can be asked for. */

import { candleHolding } from "../candle-place.js";
import { readNumber } from "../format.js";
import { createLabWork, workEventsOf } from "../lab-work.js";
import { words } from "../words/cache.js";
import { words as labWords } from "../words/lab-work.js";
import { runCheck } from "./check.js";
import { verdict } from "./words.js";

/** @import { LabParts } from "../panels.js" */
/** @import { State } from "../page-types.js" */
/** @import { CacheLab, CheckKind } from "./types.js" */

/** @typedef {ReturnType<typeof createCacheActions>} CacheActions */

/** @type {CacheLab} */
export const initialCacheLab = {
  pass: null,
  kind: "cache",
  ownText: true,
  allPositions: false,
  steps: 48,
  typed: null,
  stepsFault: null,
  work: null,
  fault: null,
  outcome: null,
};

export const mostSteps = 1000;

/** @param {Pick<State, "cacheLab">} state */
export const cacheLabOf = (state) => state.cacheLab ?? initialCacheLab;

/** Tokens of the present text that belong to the prompt as it stands. @param {Pick<State, "text">} state */
export const ownTextIds = ({ text }) => (text === null || text.stale ? [] : text.blocks.flat().map(({ id }) => id));

/** Steps that there is room for after the prompt. @param {Pick<State, "model" | "tokens">} state */
export const roomFor = ({ model, tokens }) => (model?.card.maxPositionEmbeddings ?? 0) - (tokens?.ids.length ?? 0) + 1;

/** @param {LabParts} parts */
export function createCacheActions(parts) {
  const { getState, dispatch, eachChange, actions: page } = parts;
  const get = () => cacheLabOf(getState());
  /** @param {CacheLab} value */
  const set = (value) => dispatch({ type: "labChanged", name: "cacheLab", value });
  /** @param {Partial<CacheLab>} change */
  const change = (change) => set({ ...get(), ...change });
  const work = createLabWork(parts, workEventsOf(get, set));
  let asking = false;

  /** Asks what the newest pass did; the engine answers when no run is under way. */
  async function look() {
    const { activeWorkerId, tokens } = getState();
    if (asking || activeWorkerId === null || tokens === null) return;
    asking = true;
    try {
      const { result } = await work.calls.ask(activeWorkerId, { method: "cacheState" });
      if (getState().activeWorkerId === activeWorkerId) change({ pass: result });
    } catch {
      // A worker that is gone: the next one is asked when its prompt is read.
    } finally {
      asking = false;
    }
  }

  eachChange((state, before) => {
    if (state.activeWorkerId !== before.activeWorkerId && get().pass !== null) change({ pass: null });
    const names = /** @type {const} */ (["prefill", "memory", "distribution", "run"]);
    if (names.some((name) => state[name] !== before[name])) queueMicrotask(look);
  });
  queueMicrotask(look);

  /** @param {(parts: string[]) => string[]} edit */
  function editWords(edit) {
    page.editPrompt(edit(getState().prompt.split(" ")).join(" "));
  }

  const { long, added, first: firsts, last: lasts } = words.prompt;
  /** The other one of two. @param {string[]} choices @param {string | undefined} present */
  const other = ([one, another], present) => (present === one ? another : one);

  return {
    /** @param {boolean} uncached */
    chooseUncached: (uncached) => dispatch({ type: "cacheChosen", uncached }),
    useLongPrompt: () => page.editPrompt(long),
    addWord: () => editWords((parts) => [...parts, added]),
    changeLast: () => editWords((parts) => [...parts.slice(0, -1), other(lasts, parts.at(-1))]),
    changeFirst: () => editWords(([first, ...rest]) => [other(firsts, first), ...rest]),

    /** @param {CheckKind} kind */
    chooseKind: (kind) => change({ kind }),
    /** @param {boolean} ownText */
    chooseText: (ownText) => change({ ownText }),
    /** @param {boolean} allPositions */
    chooseHead: (allPositions) => change({ allPositions }),
    /** @param {string} typed */
    typeSteps(typed) {
      const steps = readNumber(typed, true);
      const fits = Number.isInteger(steps) && steps >= 1 && steps <= mostSteps;
      change(fits ? { typed, steps, stepsFault: null } : { typed, stepsFault: labWords.wholeNumber(1, mostSteps) });
    },
    leaveSteps: () => get().stepsFault === null && change({ typed: null }),

    run: () =>
      work.run("check", async (tools) => {
        const state = getState();
        const { kind, ownText, allPositions, steps } = get();
        const { model, tokens, prompt } = state;
        if (model === null || tokens === null) return words.check.noPrompt;
        const text = ownTextIds(state);
        const own = ownText && text.length > 0;
        const room = roomFor(state);
        const { kernel, simd } = model.card;
        const found = await runCheck(
          {
            kind,
            kernel,
            simd,
            secondWorker: candleHolding(model.card),
            prompt: Array.from(tokens.ids),
            continuation: own ? { ids: text.slice(0, room) } : { greedy: Math.min(steps, room) },
            allPositions,
          },
          tools,
        );
        const outcome = { ...found, kind, allPositions, greedy: !own, prompt, model: model.title };
        change({ outcome });
        return verdict(outcome);
      }),
    stop: work.stop,
  };
}
