/**
 * axe-core in the states that a page is in for a while, or with a host that misbehaves: a load that goes on, that waits, that
 * failed; a run at work; faults in fields; what is opened over the page; each kind of step of a lab sheet.
 */
import { after, before, describe, test } from "node:test";
import { addAxe, auditOf, RULES } from "./axe.mjs";
import { app, openLab, openPage, pageOf } from "./harness.mjs";

/** In the page: a service worker that has a newer version of the page to offer. */
const NEWER_VERSION = `
  const container = new EventTarget();
  const tell = () => container.dispatchEvent(new MessageEvent("message", { data: { kept: true, deployment: "another", takesOver: true } }));
  const active = { postMessage: () => setTimeout(tell) };
  container.register = async () => ({ active, installing: null, addEventListener() {}, update: async () => {} });
  container.controller = null;
  Object.defineProperty(Navigator.prototype, "serviceWorker", { value: container });
`;

/** In the page: keeps a copy of a model, as a visit before this one could have. */
const KEEP_COPY = `
  const { ModelStore } = await import(new URL("${app && `${app}/`}src/models/store.js", document.baseURI).href);
  const store = new ModelStore();
  const key = store.newKey("${"ab".repeat(32)}");
  await store.put(key, "{}", 2);
  await store.publish({ id: "pythia-14m", title: "Pythia-14M", savedMs: Date.now(), files: { "config.json": { bytes: 2, sha256: "${"ab".repeat(32)}", key } } });
`;

describe("passing states under the rules of WCAG 2.1, levels A and AA", () => {
  /** @type {Awaited<ReturnType<typeof openLab>>} */
  let lab;
  before(async () => {
    lab = await openLab({ serviceWorker: true });
    lab.server.runFirst(NEWER_VERSION);
  });
  after(() => lab?.close());

  const { read, words, click, type } = pageOf(() => lab);
  const { shows, check, holds } = auditOf(() => lab);
  /** @param {string} fragment */
  async function open(fragment) {
    await lab.browser.open("about:blank");
    await openPage(lab.browser, `${lab.server.url}?model=tales-2m${fragment}`);
    await addAxe(lab.browser);
  }
  /** @param {string} panel */
  const toggle = (panel) => read(`document.querySelector('[aria-controls="lab-${panel}"]').click()`);
  /** @param {string} name of the field @param {string} value */
  const choose = (name, value) => read(`document.querySelector('input[name="${name}"][value="${value}"]').click()`);
  /** @param {string} id @param {RegExp} text */
  const says = (id, text) => lab.browser.waitFor(`${text} in ${id}`, async () => text.test(await words(id)));
  const runs = () => says("text-note", /^\d+ token/);

  test("a_first_load_at_work_waiting_to_try_again_and_failed", async () => {
    lab.server.misbehave({ at: "model.safetensors", bytesPerSecond: 400_000 });
    await lab.browser.open(`${lab.server.url}?model=tales-2m`);
    await shows("#models progress");
    await addAxe(lab.browser);
    await holds("a first load at work", "body");
    lab.server.faults.length = 0;
    lab.server.misbehave({ at: "model.safetensors", status: 503 });
    await lab.browser.open("about:blank");
    await lab.browser.open(`${lab.server.url}?model=tales-2m`);
    await addAxe(lab.browser);
    await lab.browser.waitFor("another try to be waited for", async () => /again in/.test(await words("models")));
    await check("a load that waits", "body", RULES);
    await lab.browser.waitFor("the failure", () => read("!!document.querySelector('section.problem')"), 60_000);
    await read("document.querySelector('section.problem details').open = true");
    await holds("a load that failed", "body");
    lab.server.faults.length = 0;
  });

  test("a_run_at_work_waiting_stopped_and_looked_back_at", async () => {
    await open("#prompt=The+old+man+looked+at+the&maxNewTokens=400&seed=5&ignoreEos=1");
    await click("pace-three");
    await click("generate");
    await runs();
    await holds("a run at three a second", "#lab");
    await click("pace-step");
    await check("a run that waits", "#lab", RULES);
    await click("stop");
    await lab.browser.waitFor("the end", () => read("document.getElementById('stop').ariaDisabled === 'true'"));
    await check("a run that was stopped", "#lab", RULES);
    await read("document.querySelector('#generated .t').click()");
    await shows("#bars-title.of-step");
    await holds("an earlier step", "#bars-panel");
    await read("document.querySelectorAll('#tokens [role=option]')[1].click()");
    await shows("#inspection .shapes");
    await holds("a token of the prompt looked at", "#inspection");
  });

  test("settings_at_fault_greedy_a_preset_a_note_and_a_notice_of_the_link", async () => {
    await open("#prompt=The+old+man&temperature=0&nonsense=1&seed=5");
    await shows(".problem.mild");
    await read("document.getElementById('more-settings').open = true; document.getElementById('presets').open = true");
    await type("temperature-field", "0");
    await type("topP-field", "7");
    await type("rows-field", "a");
    await shows("#use-greedy");
    await holds("fields at fault", "body");
    await click("use-greedy");
    await click("greedy");
    await read("document.querySelector('#presets button').click()");
    await shows("#undo-preset");
    await check("a preset", "#settings-panel", RULES);
    await read("document.querySelector('#greedy').checked || document.querySelector('#greedy').click()");
    await holds("greedy", "#settings-panel");
    await read("document.querySelector('[popovertarget=info-logit]').click()");
    await shows("#info-logit");
    await check("a note", "#info-logit", RULES);
  });

  test("looking_closer_with_all_columns_the_dice_odds_ranks_and_draws", async () => {
    await open("#prompt=The+old+man&seed=5&topP=0.9");
    await read("document.getElementById('bench').open = true");
    await shows("#dice");
    await lab.browser.run("for (const box of document.querySelectorAll('.columns input')) box.click();");
    await lab.browser.run(`const dice = document.getElementById("dice"); dice.value = 0.5; dice.dispatchEvent(new Event("input", { bubbles: true }));`);
    await click("draw-many");
    await shows(".bench-part .draws");
    for (const row of [0, 1]) await read(`document.querySelectorAll('#bars input[type=checkbox]')[${row}].click()`);
    await shows("#odds-model");
    await choose("find-by", "rank");
    await shows("#found");
    await holds("looking closer", "#bars-panel");
  });

  test("labs_at_work_at_fault_and_a_panel_that_did_not_come", async () => {
    lab.server.misbehave({ at: "views/scores.js", status: 404 });
    await open("#prompt=The+old+man+looked+at+the&maxNewTokens=60&seed=5&ignoreEos=1");
    await toggle("ab");
    await lab.browser.waitFor("the panel", () => read("document.getElementById('ab-run')?.disabled === false"));
    await type("ab-count", "50");
    await click("ab-samples");
    await lab.browser.waitFor("work", () => read("document.getElementById('ab-run').ariaDisabled === 'true'"));
    await holds("a lab at work", "#lab-ab");
    await click("ab-stop");
    await lab.browser.waitFor("the end", () => read("document.getElementById('ab-run').ariaDisabled !== 'true'"));
    await type("ab-0-temperature", "-1");
    await type("ab-count", "0");
    await shows("#ab-count-fault");
    await holds("a lab's fields at fault", "#lab-ab");
    await toggle("scores");
    await says("lab-scores", /could not be loaded/);
    await holds("a panel that did not come", "#lab-scores");
    lab.server.faults.length = 0;
  });

  test("kept_copies_the_question_before_one_is_deleted_a_folder_that_is_not_there_and_a_newer_version", async () => {
    await open("");
    await lab.browser.run(KEEP_COPY);
    await lab.browser.run("for (const part of document.querySelectorAll('#foot details')) part.open = true;");
    await shows("[data-saved]");
    await type("own-address", `${lab.server.url}not-here/`);
    await read("document.querySelector('.own-line button').click()");
    await shows("section.problem");
    await holds("the foot, unfolded", "#foot");
    await holds("a folder that is not there", "#problems");
    await read("document.querySelector('[data-ask]').click()");
    await shows("#delete-copy");
    await check("the question before a copy is deleted", "#saved-models", RULES);
    await shows(".update-notice");
    await holds("a newer version", "#update-notice");
  });

  test("each_kind_of_step_of_a_lab_sheet", async () => {
    await open("#sheet=prefill-decode");
    await shows("#field-prefill-decode-count-predicted");
    await check("before the prediction", "#sheets-column", RULES);
    await type("field-prefill-decode-count-predicted", "8");
    await click("sheet-commit");
    await shows("#sheet-came");
    await choose("field-prefill-decode-count-first", "next");
    await click("sheet-check-first");
    await says("sheet-verdict-first", /Not yet/);
    await holds("a wrong answer", "#sheets-column");
    await choose("field-prefill-decode-count-first", "prefill");
    await click("sheet-check-first");
    await says("sheet-verdict-first", /Right/);
    await holds("a right answer", "#sheets-column");
    for (let n = 0; n < 4; n++) await click("sheet-next");
    await shows("#field-prefill-decode-watch-own");
    await type("field-prefill-decode-watch-own", "One call a token.");
    await click("sheet-check-own");
    await says("sheet-verdict-own", /Kept/);
    await click("sheet-set-0");
    await shows("#sheet-said");
    await holds("words that are kept", "#sheets-column");
    await click("sheets-all");
    await shows("#notebook-erase");
    await type("notebook-notes", "Mine.");
    await click("notebook-erase");
    await shows("#notebook-erase-yes");
    await holds("the list, and the question before the notebook is erased", "#sheets-column");
    await click("notebook-erase-no");
    await click("sheet-loop");
    await shows("#program");
    await holds("the loop builder", "#sheets-column");
    await click("sheet-measure-run");
    await says("sheet-facts", /\S/);
    await check("the loop after a run", "#sheets-column", RULES);
  });
});
