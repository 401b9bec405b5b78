/**
 * Work that is under way out of sight (a run, a load, a panel's work): a line at the foot of the window says how far it is,
 * goes to it and stops it. It lies over the page, so that nothing moves when it comes.
 */

import { html, repeat } from "../../vendor/lit-html.js";
import { benchPanel, labPanels, sheetsPanel } from "../panels.js";
import { countSteps } from "../text-blocks.js";
import { words } from "../words/under-way.js";

/** @import { State } from "../page-types.js" */

/** A piece of work: `place` finds its own button that stops it, which also tells whether it is in sight.
 * @typedef {{ place: string, says: string }} Work
 */

const labels = Object.fromEntries([...labPanels, benchPanel, sheetsPanel].map(({ name, label }) => [name, label]));

/** @param {State} state @returns {Work[]} */
export function workUnderWay(state) {
  const { run, text, loads, beams, ab, batchLab, cacheLab, precisionLab, recordsLab, scoresLab, sheets } = state;
  /** @type {Work[]} */
  const works = [];
  if (run !== null && !run.waiting)
    works.push({ place: "#stop", says: words.generating(text ? countSteps(text.blocks) : 0) });
  for (const { title, workerId, phase } of loads)
    if (phase !== "ready") works.push({ place: `[data-load="${workerId}"] button`, says: words.loading(title) });
  if (beams.runId !== null) works.push({ place: "#stop-beams", says: words.beams });
  const labs = { ab, batch: batchLab, cache: cacheLab, precision: precisionLab, records: recordsLab, scores: scoresLab, sheets };
  for (const [name, lab] of Object.entries(labs)) {
    if (!lab?.work) continue;
    const place = `#lab-panel-${name} [id$='-stop']:enabled`;
    works.push({ place, says: words.inPanel(labels[name], lab.work.words) });
  }
  return works;
}

/** @param {State} state */
export function underWayView(state) {
  return html`${repeat(
    workUnderWay(state),
    ({ place }) => place,
    // Hidden until it is known to be out of sight (watchPlaces), and never by this template again.
    ({ place, says }) => html`<section class="under-way" aria-label=${words.label} data-place=${place} hidden>
      <span>${says}</span>
      <button type="button" class="small" @click=${() => show(place)}>${words.show}</button>
      <button type="button" class="small" @click=${() => placeOf(place)?.click()}>${words.stop}</button>
    </section>`,
  )}`;
}

/** @param {string} place @returns {HTMLElement | null} */
const placeOf = (place) => document.querySelector(place);

/** Goes to the work, and opens the panel that it is in. @param {string} place */
function show(place) {
  const button = placeOf(place);
  const closed = button?.closest("[hidden]");
  if (closed) /** @type {HTMLElement | null} */ (document.querySelector(`[aria-controls="${closed.id}"]`))?.click();
  requestAnimationFrame(() => button?.scrollIntoView({ block: "center" }));
}

/** Watches the buttons of the page, which the browser can do without laying anything out. @type {IntersectionObserver | null} */
let watcher = null;
/** Which lines tell of which button. @type {Map<Element, HTMLElement>} */
const lines = new Map();

/** After each drawing: a line is shown while the button that it speaks of is out of sight. */
export function watchPlaces() {
  watcher ??= new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) lines.get(target)?.toggleAttribute("hidden", isIntersecting);
  });
  /** @type {Map<Element, HTMLElement>} */
  const places = new Map();
  for (const line of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".under-way"))) {
    const button = placeOf(line.dataset.place ?? "");
    if (button) places.set(button, line);
  }
  for (const [button, line] of lines) {
    if (places.get(button) === line) continue;
    watcher.unobserve(button);
    lines.delete(button);
  }
  for (const [button, line] of places) {
    if (lines.has(button)) continue;
    lines.set(button, line);
    watcher.observe(button);
  }
}
