/** What can be done in a lab sheet: each action says what happened, and some ask the engine. */

import { defaultControls, toSettings } from "../controls.js";
import { createLabWork, workEventsOf } from "../lab-work.js";
import { eraseNotebook, keepNotebook } from "../notebook-keeping.js";
import { entryKey, withAnswer, withNotes, withPrediction } from "../notebook.js";
import { panelNames } from "../panel-state.js";
import { presets } from "../presets.js";
import { words } from "../words/sheets.js";
import { words as loopWords } from "../words/sheets-loop.js";
import { createBench } from "./bench.js";
import { answerWords, cameTrue, faultOf, leadOf, verdictOn } from "./checks.js";
import { runOnEngine } from "./loop-engine.js";
import { blocks, movedTo, placeWords } from "./loop.js";
import { factsOf, initialSheets, modelKeyOf, predictionKey } from "./state.js";

/** @import { LabParts } from "../panels.js" */
/** @import { Facts, Question, Setting, Sheet, Sheets, SheetStep } from "./types.js" */

/** @typedef {ReturnType<typeof createSheetActions>} SheetActions */

/** @param {Sheet} sheet @param {SheetStep} step */
const asked = (sheet, step) => ({ sheet: sheet.title, step: `${sheet.steps.indexOf(step) + 1}. ${step.title}` });

/** What a button does not name is as on a fresh page, but for what has no part in the text. */
const { rows: _, ...fresh } = defaultControls;

/** Once it is drawn. @param {string} id */
const focusSoon = (id) => requestAnimationFrame(() => document.getElementById(id)?.focus());

/** @param {LabParts} parts */
export function createSheetActions(parts) {
  const { getState, dispatch, eachChange, actions: page } = parts;
  const get = () => getState().sheets ?? initialSheets;
  const set = (/** @type {Sheets} */ value) => dispatch({ type: "labChanged", name: "sheets", value });
  const change = (/** @type {Partial<Sheets>} */ part) => set({ ...get(), ...part });
  const notebook = () => getState().notebook;
  const write = (/** @type {ReturnType<typeof notebook>} */ value) =>
    dispatch({ type: "labChanged", name: "notebook", value });
  const work = createLabWork(parts, workEventsOf(get, set));
  keepNotebook(parts);
  /** A run that a button wants is begun when the one before has stopped. */
  let runWanted = false;
  eachChange((state, before) => {
    if (!runWanted || before.run === null || state.run !== null) return;
    runWanted = false;
    queueMicrotask(generateAnew);
  });

  function generateAnew() {
    page.clearText();
    page.generate();
  }

  const ready = () => getState().activeWorkerId !== null && getState().model?.hasTokenizer === true;

  /** Keeps what was measured, and puts the outcome beside the prediction. @param {Sheet} sheet @param {SheetStep} step @param {Facts} values */
  function learn(sheet, step, values) {
    const facts = { ...get().facts, [entryKey(sheet.name, step.id)]: { model: modelKeyOf(getState().model), values } };
    change({ facts });
    return settle(sheet, step, values);
  }

  /** @param {Sheet} sheet @param {SheetStep} step @param {Facts} values @returns {string} what is to be announced */
  function settle(sheet, step, values) {
    const { predict } = step;
    if (!predict) return step.shows?.(values).join(" ") ?? "";
    const key = predictionKey(sheet, step);
    const committed = notebook().entries[key]?.prediction;
    if (committed === undefined || committed === null) return "";
    const outcome = predict.outcome(values);
    const right = cameTrue(predict, committed, values);
    write(withAnswer(notebook(), key, { ...asked(sheet, step), question: predict.question }, outcome, right));
    return words.step.outcome(committed, outcome);
  }

  /** @param {Sheet} sheet @param {SheetStep} step */
  const known = (sheet, step) => factsOf(get(), sheet, step, getState().model);

  /** @param {Sheet} sheet @param {SheetStep} step @param {(facts: Facts) => string} [then] */
  async function measure(sheet, step, then) {
    if (!step.measure) return;
    const { run } = step.measure;
    await work.run(step.id, async (tools) => {
      const said = learn(sheet, step, await run(await createBench(parts, tools)));
      return then ? then(known(sheet, step) ?? {}) : said;
    });
  }

  /** @param {Sheet} sheet @param {SheetStep} step @param {Question} question @param {Facts} facts */
  function check(sheet, step, question, facts) {
    const key = entryKey(sheet.name, step.id, question.id);
    const text = get().typed[key] ?? "";
    const verdict = verdictOn(question, text, facts);
    change({ verdicts: { ...get().verdicts, [key]: verdict } });
    const answer = answerWords(question.field, text);
    const facets = { ...asked(sheet, step), question: question.question };
    write(withAnswer(notebook(), key, facets, answer, verdict.right));
    return `${leadOf(verdict.right)} ${verdict.words}`;
  }

  return {
    stop: work.stop,

    /** @param {string} name of a sheet, "" for the list */
    show(name) {
      page.showSheet(name);
      change({ said: null, fault: null });
      focusSoon(name === "" ? "sheets-title" : "sheet-step-title");
    },

    /** @param {Sheet} sheet @param {number} place */
    goTo(sheet, place) {
      change({ places: { ...get().places, [sheet.name]: place }, said: null, fault: null });
      focusSoon("sheet-step-title");
    },

    /** @param {string} key @param {string} text */
    type(key, text) {
      const { [key]: _, ...verdicts } = get().verdicts;
      change({ typed: { ...get().typed, [key]: text }, verdicts });
    },

    /** The prediction is final; then the engine is asked. @param {Sheet} sheet @param {SheetStep} step */
    async commit(sheet, step) {
      const { predict } = step;
      if (!predict) return;
      const key = predictionKey(sheet, step);
      const text = get().typed[key];
      const fault = faultOf(predict.field, text);
      if (fault !== null) {
        change({ verdicts: { ...get().verdicts, [key]: { right: false, words: fault } } });
        work.announce(fault);
        return;
      }
      const prediction = answerWords(predict.field, text);
      write(withPrediction(notebook(), key, { ...asked(sheet, step), question: predict.question }, prediction));
      focusSoon("sheet-outcome");
      const facts = known(sheet, step);
      if (facts !== null) work.announce(settle(sheet, step, facts));
      else if (step.measure) await measure(sheet, step);
      else work.announce(words.step.committed);
    },

    measure,

    /** Compares an answer, after asking the engine where that is still to be done.
     * @param {Sheet} sheet @param {SheetStep} step @param {Question} question
     */
    async answer(sheet, step, question) {
      const key = entryKey(sheet.name, step.id, question.id);
      const fault = faultOf(question.field, get().typed[key]);
      if (fault !== null) {
        change({ verdicts: { ...get().verdicts, [key]: { right: false, words: fault } } });
        work.announce(fault);
        return;
      }
      const facts = question.right ? known(sheet, step) : (known(sheet, step) ?? {});
      if (facts === null && !ready()) {
        work.announce(words.answer.waits);
        return;
      }
      if (facts !== null) work.announce(check(sheet, step, question, facts));
      else if (step.measure) await measure(sheet, step, (found) => check(sheet, step, question, found));
      else work.announce(words.answer.runFirst);
    },

    /** Sets the page, through what its own controls do. @param {SheetStep} step @param {Setting} setting */
    set(step, setting) {
      const { prompt, controls, preset, panel, generate, pace, program, said } = setting;
      const chosen = presets.find(({ id }) => id === preset);
      if (pace || generate) page.choosePace(pace ?? "full");
      // As a preset: the page then offers the way back to what the student had.
      if (controls) page.choosePreset({ id: "", label: setting.label, sentence: said, values: { ...fresh, ...controls } });
      if (chosen) page.choosePreset(chosen);
      if (prompt !== undefined) page.editPrompt(prompt);
      if (panel !== undefined) openPanel(panel);
      if (program) change({ program });
      change({ said: { step: step.id, words: said } });
      work.announce(said);
      if (!generate) return;
      if (getState().run === null) {
        generateAnew();
        return;
      }
      runWanted = true;
      page.stop();
    },

    /** @param {string} name @param {number} place */
    moveBlock(name, place) {
      const program = movedTo(get().program, name, place);
      if (program.join() === get().program.join()) return;
      change({ program });
      const label = blocks.find((block) => block.name === name)?.label ?? name;
      work.announce(loopWords.moved(label, placeWords(program, name)));
    },

    /** @param {string[]} program */
    setProgram: (program) => change({ program }),

    /** @param {Sheet} sheet @param {SheetStep} step */
    async runProgram(sheet, step) {
      const { program } = get();
      await work.run(step.id, async (tools) => {
        const bench = await createBench(parts, tools);
        const { controls, prompt } = getState();
        const facts = await runOnEngine(program, bench, { settings: toSettings(controls), seed: controls.seed, prompt });
        learn(sheet, step, facts);
        return String(facts.verdict);
      });
    },

    /** @param {string} notes */
    typeNotes: (notes) => write(withNotes(notebook(), notes)),
    askErase() {
      change({ erasing: true });
      focusSoon("notebook-erase-yes");
    },
    keep() {
      change({ erasing: false });
      focusSoon("notebook-erase");
    },
    erase() {
      eraseNotebook(parts);
      set({ ...initialSheets, places: get().places, work: get().work });
      work.announce(words.list.erased);
      focusSoon("notebook-notes");
    },
  };

  /** @param {string} name */
  function openPanel(name) {
    if (!panelNames.includes(name)) return;
    if (getState().linkPanel !== null) page.showAllPanels();
    if (!getState().openPanels.includes(name)) page.togglePanel(name);
    requestAnimationFrame(() => document.getElementById(`lab-${name}`)?.scrollIntoView({ block: "start" }));
  }
}
