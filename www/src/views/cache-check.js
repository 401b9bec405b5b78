/** Two paths on one text: with the cache and without, two kernels, two builds. Verdict, table, and time against context. */

import { html, nothing } from "../../vendor/lit-html.js";
import { mostSteps, ownTextIds, roomFor } from "../cache-lab/actions.js";
import { reason, verdict } from "../cache-lab/words.js";
import { candleNotice, candleOutcome } from "../candle-place.js";
import { words } from "../words/cache.js";
import { words as labWords } from "../words/lab-work.js";
import { stepTable, timeChart } from "./cache-steps.js";
import { choiceField, fieldFault, typedField } from "./fields.js";
import { labWorkView } from "./lab-work.js";

/** @import { State } from "../page-types.js" */
/** @import { CacheActions } from "../cache-lab/actions.js" */
/** @import { CacheLab, CheckKind, CheckOutcome } from "../cache-lab/types.js" */

const { check } = words;

/** @param {State} state @param {CacheLab} lab @param {CacheActions} actions */
export function checkView(state, lab, actions) {
  const { work, fault, outcome, stepsFault } = lab;
  const own = ownTextIds(state).length;
  const notice = lab.kind === "kernel" && state.model ? candleNotice(state.model.card, check.bothPathsRun) : null;
  const ready = state.tokens !== null && state.activeWorkerId !== null && stepsFault === null;
  return html`<section class="cache-check lab-stack lab-part" aria-labelledby="cache-check-title">
    <h3 id="cache-check-title">${check.heading}</h3>
    <p class="muted">${check.intro}</p>
    <div class="lab-fields">
      ${field("cache-kind", check.compare, kindsOf(state), lab.kind, (kind) => actions.chooseKind(/** @type {CheckKind} */ (kind)))}
      ${field(
        "cache-text",
        check.on,
        [
          { value: "own", label: own > 0 ? check.presentText(own) : check.noText },
          { value: "greedy", label: check.greedyText },
        ],
        lab.ownText && own > 0 ? "own" : "greedy",
        (value) => actions.chooseText(value === "own"),
      )}
      ${field(
        "cache-head",
        check.logitsOf,
        [
          { value: "last", label: check.lastPosition },
          { value: "all", label: check.everyPosition },
        ],
        lab.allPositions ? "all" : "last",
        (value) => actions.chooseHead(value === "all"),
      )}
      ${lab.ownText && own > 0 ? nothing : stepsField(lab, Math.min(mostSteps, roomFor(state)), actions)}
    </div>
    ${notice === null ? nothing : html`<p class="muted" id="cache-second-worker">${notice}</p>`}
    ${labWorkView({
      id: "cache-check",
      label: check.compare,
      what: check.stopWhat,
      ready,
      work,
      fault,
      run: actions.run,
      stop: actions.stop,
      hint: state.tokens === null ? labWords.writePrompt : nothing,
    })}
    ${outcome === null ? nothing : outcomeView(outcome, state)}
  </section>`;
}

/** @param {State} state @returns {{ value: string, label: string }[]} */
function kindsOf({ model, relaxedSimd }) {
  const { kernel = "fused", simd = "baseline" } = model?.card ?? {};
  const builds = relaxedSimd || simd === "relaxed";
  return [
    { value: "cache", label: check.kinds.cache(kernel) },
    { value: "kernel", label: check.kinds.kernel(kernel, kernel === "candle" ? "fused" : "candle") },
    ...(builds ? [{ value: "simd", label: check.kinds.simd }] : []),
  ];
}

/**
 * @param {string} id @param {string} label @param {{ value: string, label: string }[]} options @param {string} value
 * @param {(value: string) => void} choose
 */
function field(id, label, options, value, choose) {
  return html`<label for=${id}>${label}</label
    >${choiceField({ id, options, value, choose })}`;
}

/** @param {CacheLab} lab @param {number} most @param {CacheActions} actions */
function stepsField({ typed, steps, stepsFault }, most, actions) {
  return html`<label for="cache-steps">${check.steps(most)}</label
    ><span
      >${typedField({
        id: "cache-steps",
        fault: stepsFault,
        value: typed ?? String(steps),
        type: actions.typeSteps,
        leave: actions.leaveSteps,
      })}
      ${fieldFault("cache-steps", stepsFault)}</span
    >`;
}

/** @param {CheckOutcome} outcome @param {State} state */
function outcomeView(outcome, { prompt, clock }) {
  const { rows, names, allPositions, promptLength, greedy, model, secondWorker } = outcome;
  return html`<p class="lab-verdict" id="cache-verdict">${verdict(outcome)}</p>
    <p id="cache-reason">${reason(outcome)}</p>
    <p class="muted" id="cache-boundary">
      ${words.compared(model, promptLength, greedy)} ${words.boundary(allPositions)}
      ${clock === null ? nothing : words.clock(clock.stepMs)}
      ${outcome.prompt === prompt ? nothing : words.outdated}
      ${secondWorker === null ? nothing : candleOutcome(secondWorker)}
    </p>
    ${rows.length === 0 ? nothing : [timeChart(outcome), stepTable(rows, names)]}`;
}
