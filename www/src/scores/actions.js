/** What the text-scores panel can be asked for. */

import { toLimits, toSettings } from "../controls.js";
import { createLabWork, workEventsOf } from "../lab-work.js";
import { words } from "../words/scores.js";
import { scoresOf } from "./state.js";
import { digestsSentence, loopSentence, summarySentence } from "./words.js";

/** @import { LabParts } from "../panels.js" */
/** @import { WorkTools } from "../lab-work.js" */
/** @import { TextScores } from "../protocol.js" */
/** @import { ScoresLab, ScoresSetup } from "./types.js" */

/** @typedef {ReturnType<typeof createScoresActions>} ScoresActions */

/** Tokens that are generated between the two digests. */
const DIGEST_TOKENS = 48;

/** @param {LabParts} parts */
export function createScoresActions(parts) {
  const { getState, dispatch } = parts;
  const get = () => scoresOf(getState());
  /** @param {ScoresLab} value */
  const set = (value) => dispatch({ type: "labChanged", name: "scoresLab", value });
  const { run, stop } = createLabWork(parts, workEventsOf(get, set));

  /** @param {ScoresLab["kind"]} kind @param {(tools: WorkTools) => Promise<string>} work */
  function start(kind, work) {
    if (get().work !== null) return;
    set({ ...get(), kind });
    void run(kind, work);
  }

  return {
    /** @param {Partial<ScoresSetup>} setup */
    change: (setup) => set({ ...get(), setup: { ...get().setup, ...setup } }),
    takePageText() {
      const { prompt, text } = getState();
      const made = text?.blocks.flat().map((step) => step.text).join("") ?? "";
      set({ ...get(), setup: { ...get().setup, text: prompt + made } });
    },
    /** @param {number} chosen */
    choose: (chosen) => set({ ...get(), chosen }),
    /** From where it is now: a second key may come before the first is drawn. @param {number} by @param {number} last */
    move: (by, last) => set({ ...get(), chosen: Math.max(0, Math.min(last, get().chosen + by)) }),

    score: () =>
      start("score", async (tools) => {
        const { setup } = get();
        const { workerId } = await tools.placeOf({});
        tools.report(words.scoring);
        const startId = getState().model?.card.eosTokenId ?? null;
        const before = setup.start && startId !== null ? { startId } : {};
        const { result: text } = await tools.calls.ask(
          workerId,
          { method: "score", prompt: { text: setup.text }, ...before },
          { signal: tools.signal, onProgress: (done, total) => tools.report(words.scoringAt(done, total)) },
        );
        const given = Math.min(Number(setup.given), text.tokens.ids.length);
        const loop = tools.signal.aborted ? null : await runLoop(text, given, setup, workerId, before, tools);
        const made = { of: setup, text, loop, given };
        set({ ...get(), made, chosen: Math.min(get().chosen, text.tokens.ids.length - 1) });
        return `${summarySentence(text)} ${loopSentence(made)}`;
      }),

    compareDigests: () =>
      start("digests", async ({ calls, placeOf, report, signal }) => {
        const { workerId } = await placeOf({});
        const { controls, prompt } = getState();
        const digest = async (/** @type {string} */ what) => {
          report(what);
          const asked = await calls.ask(
            workerId,
            { method: "weightsDigest" },
            {
              signal,
              onProgress: (done, total) => report(words.digests.at(what, done / Math.max(1, total))),
            },
          );
          // A digest that was broken off is of a part.
          signal.throwIfAborted();
          return asked.result;
        };
        const before = await digest(words.digests.hashing);
        report(words.digests.generating);
        const text = prompt === "" ? get().setup.text : prompt;
        const { result } = await calls.ask(
          workerId,
          {
            method: "generate",
            prompt: { text },
            settings: toSettings(controls),
            seed: controls.seed,
            limits: { ...toLimits(controls, DIGEST_TOKENS), ignoreEos: true },
          },
          { signal },
        );
        const after = await digest(words.digests.hashingAgain);
        const digests = { before, after, newTokens: result.newIds.length };
        set({ ...get(), digests });
        return digestsSentence(digests);
      }),

    stop,
  };

  /**
   * The loop from the text's first tokens, as long as the text, and the scores of what it made.
   * @param {TextScores} text @param {number} given @param {ScoresSetup} setup @param {number} workerId
   * @param {{ startId?: number }} before @param {WorkTools} tools
   */
  async function runLoop(text, given, setup, workerId, before, { calls, report, signal }) {
    const { controls } = getState();
    const ids = Array.from(text.tokens.ids);
    if (given >= ids.length) return null;
    report(words.running);
    const first = ids.slice(0, given);
    // With a start token in front of the text, the loop has it too.
    const prompt = before.startId === undefined ? first : [before.startId, ...first];
    const { result } = await calls.ask(
      workerId,
      {
        method: "generate",
        prompt: { ids: prompt },
        settings: setup.loop === "greedy" ? { greedy: true } : toSettings(controls),
        seed: controls.seed,
        limits: { maxNewTokens: ids.length - given, ignoreEos: true },
      },
      { signal },
    );
    signal.throwIfAborted();
    const made = [...first, ...result.newIds];
    const { result: scores } = await calls.ask(workerId, { method: "score", prompt: { ids: made }, ...before }, { signal });
    return signal.aborted ? null : scores;
  }
}
