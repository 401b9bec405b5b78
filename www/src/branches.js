/**
 * The texts that were made, as branches of one prompt: what becomes of a text when another takes its place, and the way
 * back. A text is kept as it was, steps and all; it shares the blocks of what it has in common with others. Pure.
 */

import { countSteps } from "./text-blocks.js";

/** @import { LoadedModel } from "./messages.js" */
/** @import { State } from "./page-types.js" */
/** @import { GeneratedText, TextEvent, UndoList } from "./text-types.js" */

/** How far back texts are kept, in tokens: what they have in common counts once. */
const mostKeptTokens = 20_000;

/** Texts of two models, or of one model in two precisions, are no branches of each other.
 * @param {LoadedModel | null} model
 */
export function modelKey(model) {
  if (!model) return "";
  const { precision, kernel, kvCache } = model.card;
  return [model.title, model.base, precision, kernel, kvCache].join(" ");
}

/** Whether something was made from the present prompt by the present model.
 * @param {Pick<State, "prompt" | "model">} state @param {{ prompt: string, model: string }} made
 */
export const isOfPresent = ({ prompt, model }, made) => made.prompt === prompt && made.model === modelKey(model);

/** Puts the present text among the branches, because another takes its place. @param {State} state @returns {State} */
export function keepText(state) {
  const { text, branches } = state;
  if (!text || text.blocks.length === 0) return state;
  if (branches.some((branch) => contains(branch, text))) return state;
  return { ...state, branches: newest([...branches.filter((branch) => !contains(text, branch)), text]) };
}

/** The last of these texts, as many as are kept. @template {GeneratedText | null} T @param {T[]} texts @returns {T[]} */
function newest(texts) {
  const blocks = new Set();
  let tokens = 0;
  const first = texts.findLastIndex((text) => {
    for (const block of text?.blocks ?? []) if (!blocks.has(block)) tokens += block.length;
    text?.blocks.forEach((block) => blocks.add(block));
    return tokens > mostKeptTokens;
  });
  return texts.slice(Math.min(first + 1, texts.length - 1));
}

/** Whether one text is another's beginning, or all of it. @param {GeneratedText} text @param {GeneratedText} start */
function contains(text, start) {
  if (text.prompt !== start.prompt || text.model !== start.model) return false;
  const [ids, others] = [text, start].map(({ blocks }) => blocks.flat());
  return others.length <= ids.length && others.every(({ id }, n) => id === ids[n].id);
}

/** Notes the present text before it changes. @param {State} state @returns {State} */
export function noteForUndo(state) {
  const { past, ...list } = undoList(state);
  return { ...state, undo: { ...list, past: newest([...past, presentText(state)]), future: [] } };
}

/** @param {Pick<State, "undo" | "prompt" | "model">} state @returns {UndoList} */
export function undoList(state) {
  const { undo, prompt, model } = state;
  return isOfPresent(state, undo) ? undo : { prompt, model: modelKey(model), past: [], future: [] };
}

/** @param {State} state */
const presentText = (state) => (state.text && isOfPresent(state, state.text) ? state.text : null);

/** @param {State} state @param {"undo" | "redo"} move @returns {State} */
function moved(state, move) {
  const { past, future, ...list } = undoList(state);
  const present = presentText(state);
  const undo =
    move === "undo"
      ? { ...list, past: past.slice(0, -1), future: [...future, present] }
      : { ...list, past: [...past, present], future: future.slice(0, -1) };
  return { ...state, undo };
}

/** @param {State} state @param {Extract<TextEvent, { type: "branchSent" }>} event @returns {State} */
export function branchSent(state, { text, move }) {
  const revision = state.revision + 1;
  const left = keepText(move === "edit" ? noteForUndo(state) : moved(state, move));
  return {
    ...left,
    branches: text ? left.branches.filter((branch) => branch !== text) : left.branches,
    run: null,
    slowStep: null,
    look: null,
    revision,
    textRevision: revision,
    text: text && { ...text, stale: false, canContinue: canGoOn(text) },
    stage: text ? "text" : null,
    touched: true,
  };
}

/** An end token, a stop string and the end of the context are ends; a run that was broken off is none.
 * @param {GeneratedText} text
 */
function canGoOn({ blocks, reason }) {
  return countSteps(blocks) > 0 && (reason === null || reason === "maxNewTokens" || reason === "user");
}

/** Forgets the texts of earlier prompts and models. @param {State} state @returns {State} */
export function withoutOldTexts(state) {
  return { ...state, branches: state.branches.filter((text) => isOfPresent(state, text)) };
}

/** All texts of the present prompt, in the order in which they were begun.
 * @param {Pick<State, "branches" | "text" | "prompt" | "model">} state
 */
export function presentTexts(state) {
  const { branches, text } = state;
  const own = branches.filter((branch) => isOfPresent(state, branch));
  const present = text && text.blocks.length > 0 && isOfPresent(state, text) ? [text] : [];
  return [...own, ...present].sort((a, b) => a.serial - b.serial);
}

/** And those of other prompts and models. @param {Pick<State, "branches" | "prompt" | "model">} state */
export const oldTexts = (state) => state.branches.filter((text) => !isOfPresent(state, text));

/** Whether another text can be put after the prompt: the engine has read it as it stands.
 * @param {Pick<State, "activeWorkerId" | "prompt" | "promptSent" | "tokens" | "stage">} state
 */
export function canChange({ activeWorkerId, prompt, promptSent, tokens, stage }) {
  const reading = prompt !== promptSent || tokens === null || stage === "tokenize" || stage === "prefill";
  return activeWorkerId !== null && !reading;
}

/** @param {GeneratedText | null} text */
export const stepsOf = (text) => text?.blocks.flat() ?? [];
