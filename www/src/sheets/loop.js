/**
 * The generation loop as blocks that a student puts in order, and a machine that runs any order of them with the real
 * engine's calls. It corrects nothing: an order that forgets a block fails as a program would that forgot it.
 *
 * A program is a list of block names between three dividers: before the loop, in it, after it, and left out.
 */

import { words } from "../words/sheets-loop.js";

/** @typedef {"tokenize" | "forward" | "last" | "sample" | "append" | "limit" | "detokenize"} Block */

/** In the order in which they work. @type {{ name: Block, label: string, words: string }[]} */
export const blocks = /** @type {const} */ (["tokenize", "forward", "last", "sample", "append", "limit", "detokenize"]).map(
  (name) => ({ name, ...words.blocks[name] }),
);

/** @type {Record<string, string>} */
export const dividers = { "#loop": words.dividers.loop, "#after": words.dividers.after, "#out": words.dividers.out };

export const rightProgram = ["tokenize", "#loop", "forward", "last", "sample", "append", "limit", "#after", "detokenize", "#out"];

/** Nothing placed yet, in an order that gives nothing away. */
export const startProgram = [
  "#loop", "#after", "#out", "append", "detokenize", "forward", "limit", "tokenize", "sample", "last",
];

/** The right order but for one block, which is left out. @param {Block} block */
export const without = (block) => [...rightProgram.filter((name) => name !== block), block];

export const loopMaxNewTokens = 8;
/** What a program without a working limit is stopped after; no engine could go on for ever. */
export const guardPasses = 20;

/** @param {string[]} program @param {string} name @param {number} place in the list, from 0 */
export function movedTo(program, name, place) {
  const others = program.filter((other) => other !== name);
  others.splice(Math.max(0, Math.min(place, others.length)), 0, name);
  return others;
}

/** Where a block stands, in words. @param {string[]} program @param {string} name */
export function placeWords(program, name) {
  const at = program.indexOf(name);
  const divider = program.slice(0, at).filter((other) => other.startsWith("#")).at(-1);
  if (divider === "#out") return words.places.out;
  const first = divider === undefined ? -1 : program.indexOf(divider);
  const place = { "#loop": words.places.loop, "#after": words.places.after }[divider ?? ""] ?? words.places.before;
  return place(at - first);
}

/** @param {string[]} program */
function parts(program) {
  const [loop, after, out] = ["#loop", "#after", "#out"].map((divider) => program.indexOf(divider));
  const slice = (/** @type {number} */ from, /** @type {number} */ to) => /** @type {Block[]} */ (program.slice(from, to));
  return { before: slice(0, loop), loop: slice(loop + 1, after), after: slice(after + 1, out) };
}

/**
 * What the machine needs of an engine.
 * @typedef {object} LoopEngine
 * @property {(text: string) => Promise<number[]>} tokenize
 * @property {(ids: number[]) => Promise<Float32Array>} forward scores of all positions, one row after the other
 * @property {(scores: Float32Array, ids: number[], promptLength: number) => Promise<number>} sample
 * @property {(ids: number[]) => Promise<string>} detokenize
 * @property {number} vocabulary
 * @property {number | null} endToken
 */

/**
 * What came of a run. `fromFirst`: a pick was made from scores that no block had narrowed to the last position.
 * @typedef {object} LoopOutcome
 * @property {number[]} made every id that was picked
 * @property {number[]} newIds what stands in the ids after the prompt
 * @property {string | null} text null where nothing was detokenized
 * @property {string | null} fault why it could not go on
 * @property {boolean} guarded stopped from outside
 * @property {boolean} fromFirst
 * @property {number} passes of the loop
 * @property {number} forwardCalls
 */

/** What a block needs and does not find. */
class Missing extends Error {}

/**
 * @param {string[]} program
 * @param {LoopEngine} engine
 * @param {string} prompt
 * @param {(pass: number) => void} [onPass]
 * @returns {Promise<LoopOutcome>}
 */
export async function runLoop(program, engine, prompt, onPass = () => {}) {
  const { before, loop, after } = parts(program);
  const machine = new Machine(engine, prompt);
  const outcome = () => machine.outcome;
  try {
    for (const block of before) await machine.step(block);
    if (loop.length === 0) throw new Missing(words.missing.loop);
    for (let left = false; !left; ) {
      if (machine.passes === guardPasses) {
        machine.guarded = true;
        break;
      }
      machine.passes += 1;
      onPass(machine.passes);
      left = await machine.pass(loop);
    }
    for (const block of after) await machine.step(block);
  } catch (error) {
    if (!(error instanceof Missing)) throw error;
    machine.fault = error.message;
  }
  return outcome();
}

class Machine {
  passes = 0;
  guarded = false;
  /** @type {string | null} */
  fault = null;
  #forwardCalls = 0;
  #fromFirst = false;
  #promptLength = 0;
  /** @type {number[] | null} */
  #ids = null;
  /** @type {Float32Array | null} */
  #scores = null;
  /** @type {number | null} */
  #next = null;
  /** @type {number[]} */
  #made = [];
  /** @type {string | null} */
  #text = null;

  /** @param {LoopEngine} engine @param {string} prompt */
  constructor(engine, prompt) {
    this.engine = engine;
    this.prompt = prompt;
  }

  /** One way through the loop. @param {Block[]} loop @returns {Promise<boolean>} whether the limit leaves it */
  async pass(loop) {
    for (const block of loop) if (await this.step(block)) return true;
    return false;
  }

  /** @param {Block} block @returns {Promise<boolean>} whether the loop is to be left */
  async step(block) {
    const { engine } = this;
    const { missing } = words;
    switch (block) {
      case "tokenize":
        this.#ids = await engine.tokenize(this.prompt);
        this.#promptLength = this.#ids.length;
        return false;
      case "forward":
        this.#scores = await engine.forward(need(this.#ids, missing.forwardIds));
        this.#forwardCalls += 1;
        return false;
      case "last":
        this.#scores = need(this.#scores, missing.lastScores).slice(-engine.vocabulary);
        return false;
      case "sample": {
        const scores = need(this.#scores, missing.sampleScores);
        // What lies first in memory is the first position's: a program that asks for no other gets these.
        if (scores.length > engine.vocabulary) this.#fromFirst = true;
        const ids = this.#ids ?? [];
        this.#next = await engine.sample(scores.slice(0, engine.vocabulary), ids, this.#promptLength);
        this.#made = [...this.#made, this.#next];
        return false;
      }
      case "append":
        need(this.#ids, missing.appendIds);
        this.#ids = [...(this.#ids ?? []), need(this.#next, missing.appendPick)];
        return false;
      case "limit":
        return this.#made.length >= loopMaxNewTokens || (this.#next !== null && this.#next === engine.endToken);
      case "detokenize": {
        const ids = need(this.#ids, missing.detokenizeIds);
        this.#text = await engine.detokenize(ids.slice(this.#promptLength));
        return false;
      }
    }
  }

  /** @returns {LoopOutcome} */
  get outcome() {
    return {
      made: this.#made,
      newIds: (this.#ids ?? []).slice(this.#promptLength),
      text: this.#text,
      fault: this.fault,
      guarded: this.guarded,
      fromFirst: this.#fromFirst,
      passes: this.passes,
      forwardCalls: this.#forwardCalls,
    };
  }
}

/** @template T @param {T | null} value @param {string} sentence @returns {T} */
function need(value, sentence) {
  if (value === null) throw new Missing(sentence);
  return value;
}

/** @typedef {"right" | "fault" | "repeats" | "runsOn" | "wrongPlace" | "noText" | "nothing" | "differs"} LoopVerdict */

/**
 * How a run went, against the tokens that the engine's own loop makes of the same prompt, settings and seed.
 * @param {LoopOutcome} outcome @param {number[]} reference @returns {{ kind: LoopVerdict, words: string }}
 */
export function judge({ made, newIds, text, fault, guarded, fromFirst }, reference) {
  const { verdicts } = words;
  const guard = guarded ? verdicts.guarded(guardPasses) : null;
  /** @param {LoopVerdict} kind @param {string} sentence @returns {{ kind: LoopVerdict, words: string }} */
  const told = (kind, sentence) => ({ kind, words: guard === null ? sentence : `${sentence} ${guard}` });
  if (fault !== null) return { kind: "fault", words: verdicts.fault(fault) };
  if (made.length === 0) return told("nothing", verdicts.nothing);
  if (fromFirst) return told("wrongPlace", verdicts.wrongPlace);
  if (made.length > 1 && newIds.length < 2 && made.every((id) => id === made[0])) return told("repeats", verdicts.repeats);
  if (guarded) return told("runsOn", verdicts.runsOn);
  if (text === null) return told("noText", verdicts.noText);
  return newIds.join() === reference.join() ? told("right", verdicts.right) : told("differs", verdicts.differs);
}
