/** The benchmark of the A/B panel: its plan, who is faster (or why nobody is said to be), and every single outcome. */

import { html, live, nothing } from "../../vendor/lit-html.js";
import { benchmarkSentence, causeSentence, metricRows, ratio, workloadLine } from "../ab/benchmark-words.js";
import { differences } from "../ab/configuration.js";
import { count, figure } from "../format.js";
import { words } from "../words/ab-benchmark.js";
import { words as abWords } from "../words/ab.js";
import { words as labWords } from "../words/lab-work.js";
import { typedField } from "./fields.js";
import { foldView } from "./fold.js";
import { tableHead } from "./table.js";

/** @import { CatalogueEntry } from "../messages.js" */
/** @import { Outcome } from "../protocol.js" */
/** @import { AbActions } from "../ab/actions.js" */
/** @import { AbEvent, AbState, Benchmark } from "../ab/types.js" */

/** @typedef {Extract<AbEvent, { type: "planTyped" }>["name"]} PlanField */

/** @type {PlanField[]} */
const fields = ["newTokens", "warmUps", "repeats"];

/**
 * @param {AbState} ab @param {boolean} ready @param {boolean} outdated @param {CatalogueEntry[]} entries
 * @param {AbActions} actions
 */
export function benchmarkView(ab, ready, outdated, entries, actions) {
  const { plan, faults, benchmark } = ab;
  const busy = ab.work?.kind === "benchmark";
  const faulty = fields.filter((name) => faults[name] !== undefined);
  const content = html`<p class="muted">${words.intro}</p>
    <div class="bench-plan">
      ${fields.map((name) => planField(name, ab, actions))}
      <label class="switch"
        ><input
          type="checkbox"
          id="ab-forced"
          .checked=${live(plan.forced)}
          @change=${actions.toggleForced}
        />
        ${words.forced}</label
      >
    </div>
    <div class="panel-line lab-work">
      <div class="buttons">
        <button
          type="button"
          id="ab-bench-run"
          ?disabled=${!ready || faulty.length > 0}
          aria-disabled=${ab.work === null ? nothing : "true"}
          @click=${actions.runBenchmark}
        >
          ${words.measure(plan.repeats)}
        </button>
        <button type="button" id="ab-bench-stop" ?disabled=${!busy} aria-disabled=${ab.work?.stopping ? "true" : nothing} @click=${actions.stop}>
          ${labWords.stop}<span class="visually-hidden"> ${words.stopWhat}</span>
        </button>
      </div>
      <span class="muted numbers" id="ab-bench-progress">${busy && ab.work !== null ? labWords.underWay(ab.work.words) : nothing}</span>
    </div>
    ${faulty.map((name) => html`<p class="fault" id=${`ab-${name}-fault`}>${words.fault(words.fields[name], faults[name])}</p>`)}
    ${plan.forced ? nothing : html`<p class="muted">${words.freeLength}</p>`}
    ${benchmark === null ? nothing : resultView(benchmark, outdated, entries)}`;
  return foldView({ id: "ab-benchmark-title", name: "lab-part", title: words.heading, content });
}

/** @param {PlanField} name @param {AbState} ab @param {AbActions} actions */
function planField(name, { plan, typed, faults }, actions) {
  return html`<label class="lab-field"
    >${words.fields[name]}
    ${typedField({
      id: `ab-${name}`,
      fault: faults[name] ?? null,
      value: typed[name] ?? String(plan[name]),
      type: (text) => actions.typePlan(name, text),
      leave: actions.leave,
    })}
  </label>`;
}

/** @param {Benchmark} benchmark @param {boolean} outdated @param {CatalogueEntry[]} entries */
function resultView(benchmark, outdated, entries) {
  const { of, ids, plan, ownWorker, complete, outcomes } = benchmark;
  const others = abWords.sides.filter((_, side) => ownWorker[side]);
  const [seedA, seedB] = of.map(({ controls }) => controls.seed);
  return html`<div class="lab-stack" id="ab-benchmark">
    ${outdated ? html`<p class="muted">${words.outdated}</p>` : nothing}
    ${complete ? nothing : html`<p class="muted">${words.incomplete}</p>`}
    <p class="lab-verdict" id="ab-bench-verdict">${benchmarkSentence(benchmark)}</p>
    <p class="muted" id="ab-bench-cause">
      ${causeSentence(differences(of, entries).map(({ label }) => label))}
      ${words.workload(ids.length, plan.newTokens, plan.forced, [seedA, seedB])}
      ${others.length === 0 ? nothing : words.secondWorker(others)}
    </p>
    ${of.map((side, n) => html`<p class="muted">${words.ofSide(abWords.sides[n], workloadLine(side, plan, entries))}</p>`)}
    ${metricsTable(benchmark)}
    <details>
      <summary>${words.everyOutcome(outcomes[0].length + outcomes[1].length)}</summary>
      ${outcomesTable(benchmark)}
      <p class="muted">${words.asFile}</p>
    </details>
  </div>`;
}

/** @param {Benchmark} benchmark */
function metricsTable({ summary }) {
  return html`<p class="muted">${words.metricsNote}</p>
    <div class="scroll-x bench-scroll" tabindex="0" role="group" aria-label=${words.metricsTable}>
    <table class="lab-table" id="ab-bench-metrics">
      ${tableHead(words.metricColumns)}
      <tbody>
        ${metricRows(summary).map(
          ({ metric, label, unit, boundary, a, b, byA, verdict }) =>
            html`<tr data-metric=${metric}>
              <th scope="row">${words.metric(label, unit)}<br /><span class="muted">${boundary}</span></th>
              ${[a, b, byA].map((value) => html`<td class="numbers">${value}</td>`)}
              <td>${verdict}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** @param {Benchmark} benchmark */
function outcomesTable({ outcomes: [a, b], plan, summary }) {
  const ratios = summary.comparison?.metrics.find(({ metric }) => metric === "totalMs")?.ratios ?? [];
  return html`<div class="scroll-x bench-scroll" tabindex="0" role="group" aria-label=${words.outcomesTable}>
    <table class="lab-table" id="ab-bench-outcomes">
      ${tableHead(words.outcomeColumns)}
      <tbody>
        ${a.map((outcome, n) => [
          outcomeRow(outcome, abWords.sides[0], n, plan.warmUps, undefined),
          outcomeRow(b[n], abWords.sides[1], n, plan.warmUps, ratios[n - plan.warmUps]),
        ])}
      </tbody>
    </table>
  </div>`;
}

/** @param {Outcome} outcome @param {string} side @param {number} n @param {number} warmUps
 * @param {number | undefined} byA
 */
function outcomeRow({ warmUp, prefillMs, decodeMs, totalMs, outputTokens }, side, n, warmUps, byA) {
  return html`<tr data-warm-up=${warmUp}>
    <th scope="row">${warmUp ? html`<span class="tag soft">${words.warmUp(n + 1)}</span>` : n - warmUps + 1}</th>
    <td>${side}</td>
    ${[prefillMs, decodeMs, totalMs].map((value) => html`<td class="numbers">${figure(value)}</td>`)}
    <td class="numbers">${count(outputTokens)}</td>
    <td class="numbers">${byA === undefined ? nothing : ratio(byA)}</td>
  </tr>`;
}
