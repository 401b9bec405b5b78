/** Two paths on one text: with the cache and without, two kernels, two builds. Verdict, table, and time against context. */

import { html, nothing } from "../../vendor/lit-html.js";
import { mostSteps, ownTextIds, roomFor } from "../cache-lab/actions.js";
import { reason, verdict } from "../cache-lab/words.js";
import { candleNotice, candleOutcome } from "../candle-place.js";
import { count, plural, setting } from "../format.js";
import { stepTable, timeChart } from "./cache-steps.js";
import { choiceField, fieldFault, typedField } from "./fields.js";
import { labWorkView } from "./lab-work.js";

/** @import { State } from "../page-types.js" */
/** @import { CacheActions } from "../cache-lab/actions.js" */
/** @import { CacheLab, CheckKind, CheckOutcome } from "../cache-lab/types.js" */

/** @param {State} state @param {CacheLab} lab @param {CacheActions} actions */
export function checkView(state, lab, actions) {
  const { work, fault, outcome, stepsFault } = lab;
  const own = ownTextIds(state).length;
  const notice = lab.kind === "kernel" && state.model ? candleNotice(state.model.card, "both paths run") : null;
  const ready = state.tokens !== null && state.activeWorkerId !== null && stepsFault === null;
  return html`<section class="cache-check lab-stack lab-part" aria-labelledby="cache-check-title" aria-busy=${work !== null}>
    <h3 id="cache-check-title">The same text through two paths</h3>
    <p class="muted">
      Both paths read the very same tokens, so that a difference is one of the paths and never one of the texts.
    </p>
    <div class="lab-fields">
      ${field("cache-kind", "Compare", kindsOf(state), lab.kind, (kind) => actions.chooseKind(/** @type {CheckKind} */ (kind)))}
      ${field(
        "cache-text",
        "On",
        [
          { value: "own", label: own > 0 ? `the present text (${plural(own, "token")})` : "the present text (none yet)" },
          { value: "greedy", label: "a greedy continuation made for this" },
        ],
        lab.ownText && own > 0 ? "own" : "greedy",
        (value) => actions.chooseText(value === "own"),
      )}
      ${field(
        "cache-head",
        "Logits of",
        [
          { value: "last", label: "the last position of a step, on both paths" },
          { value: "all", label: "every position that a step reads" },
        ],
        lab.allPositions ? "all" : "last",
        (value) => actions.chooseHead(value === "all"),
      )}
      ${lab.ownText && own > 0 ? nothing : stepsField(lab, Math.min(mostSteps, roomFor(state)), actions)}
    </div>
    ${notice === null ? nothing : html`<p class="muted" id="cache-second-worker">${notice}</p>`}
    ${labWorkView({
      id: "cache-check",
      label: "Compare",
      what: "the comparison",
      ready,
      work,
      fault,
      run: actions.run,
      stop: actions.stop,
      hint: state.tokens === null ? "Write a prompt first." : nothing,
    })}
    ${outcome === null ? nothing : outcomeView(outcome, state)}
  </section>`;
}

/** @param {State} state @returns {{ value: string, label: string }[]} */
function kindsOf({ model, relaxedSimd }) {
  const { kernel = "fused", simd = "baseline" } = model?.card ?? {};
  const builds = relaxedSimd || simd === "relaxed";
  return [
    { value: "cache", label: `with the cache and without it, ${kernel} kernel` },
    { value: "kernel", label: kernel === "candle" ? "candle and fused, both with the cache" : "fused and candle, both with the cache" },
    ...(builds ? [{ value: "simd", label: "baseline and relaxed SIMD, in two workers" }] : []),
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
  return html`<label for="cache-steps">Steps, at most ${count(most)} here</label
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
  const stale = outcome.prompt === prompt ? "" : " It was made with another prompt than the present one.";
  return html`<p class="lab-verdict" id="cache-verdict">${verdict(outcome)}</p>
    <p id="cache-reason">${reason(outcome)}</p>
    <p class="muted" id="cache-boundary">
      ${model}, ${plural(promptLength, "prompt token")},
      ${greedy ? "then the first path's likeliest token each time" : "then the present text"}. A time is one forward pass
      and the output head for ${allPositions ? "every position that it reads" : "its last position alone"}, without
      sampling; the first step runs the whole prompt.${clock === null ? "" : ` The clock has steps of ${setting(clock.stepMs)} ms.`}${stale}
      ${secondWorker === null ? nothing : candleOutcome(secondWorker)}
    </p>
    ${rows.length === 0 ? nothing : [timeChart(outcome), stepTable(rows, names)]}`;
}
