/** The benchmark of the A/B panel: its plan, who is faster (or why nobody is said to be), and every single outcome. */

import { html, live, nothing } from "../../vendor/lit-html.js";
import { benchmarkSentence, causeSentence, metricRows, ratio, workloadLine } from "../ab/benchmark-words.js";
import { differences } from "../ab/configuration.js";
import { count, figure, plural } from "../format.js";
import { typedField } from "./fields.js";
import { tableHead } from "./table.js";

/** @import { CatalogueEntry } from "../messages.js" */
/** @import { Outcome } from "../protocol.js" */
/** @import { AbActions } from "../ab/actions.js" */
/** @import { AbEvent, AbState, Benchmark } from "../ab/types.js" */

/** @typedef {Extract<AbEvent, { type: "planTyped" }>["name"]} PlanField */

/** @type {{ name: PlanField, label: string }[]} */
const fields = [
  { name: "newTokens", label: "Output tokens" },
  { name: "warmUps", label: "Warm-up pairs" },
  { name: "repeats", label: "Pairs that count" },
];

/**
 * @param {AbState} ab @param {boolean} ready @param {boolean} outdated @param {CatalogueEntry[]} entries
 * @param {AbActions} actions
 */
export function benchmarkView(ab, ready, outdated, entries, actions) {
  const { plan, faults, benchmark } = ab;
  const busy = ab.work?.kind === "benchmark";
  const faulty = fields.filter(({ name }) => faults[name] !== undefined);
  return html`<section class="ab-repeats lab-stack lab-part" aria-labelledby="ab-benchmark-title">
    <h3 id="ab-benchmark-title">Which is faster? A fixed workload, measured in turns</h3>
    <p class="muted">
      The prompt is cut into tokens once; A and B then take turns, A B A B. Try it first with A and B the same: no winner
      should be named.
    </p>
    <div class="bench-plan">
      ${fields.map((field) => planField(field, ab, actions))}
      <label class="switch"
        ><input
          type="checkbox"
          id="ab-forced"
          .checked=${live(plan.forced)}
          @change=${actions.toggleForced}
        />
        Exactly so many tokens</label
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
          Measure ${plural(plan.repeats, "pair")}
        </button>
        <button type="button" id="ab-bench-stop" ?disabled=${!busy} aria-disabled=${ab.work?.stopping ? "true" : nothing} @click=${actions.stop}>
          Stop<span class="visually-hidden"> the benchmark</span>
        </button>
      </div>
      <span class="muted numbers" id="ab-bench-progress">${busy ? `${ab.work?.words}…` : nothing}</span>
    </div>
    ${faulty.map(({ name, label }) => html`<p class="fault" id=${`ab-${name}-fault`}>${label}: ${faults[name]}</p>`)}
    ${plan.forced ? nothing : freeLength}
    ${benchmark === null ? nothing : resultView(benchmark, outdated, entries)}
  </section>`;
}

const freeLength = html`<p class="muted">
  A run may end at an end token or a stop string: then lengths can differ, and no winner is named.
</p>`;

/** @param {{ name: PlanField, label: string }} field @param {AbState} ab @param {AbActions} actions */
function planField({ name, label }, { plan, typed, faults }, actions) {
  return html`<label class="lab-field"
    >${label}
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
  const others = ["A", "B"].filter((_, side) => ownWorker[side]).join(" and ");
  return html`<div class="lab-stack" id="ab-benchmark">
    ${outdated ? html`<p class="muted">Prompt, configurations or plan have been changed since this was measured.</p>` : nothing}
    ${complete ? nothing : html`<p class="muted">It was stopped: only the pairs that were finished are here.</p>`}
    <p class="lab-verdict" id="ab-bench-verdict">${benchmarkSentence(benchmark)}</p>
    <p class="muted" id="ab-bench-cause">
      ${causeSentence(differences(of, entries).map(({ label }) => label))} Workload: ${plural(ids.length, "prompt token")},
      ${plan.forced ? "exactly" : "at most"} ${plural(plan.newTokens, "output token")}, seed ${of[0].controls.seed} and
      ${of[1].controls.seed}. ${others === "" ? nothing : `${others} ran in a second worker.`}
    </p>
    ${of.map((side, n) => html`<p class="muted">${["A", "B"][n]}: ${workloadLine(side, plan, entries)}</p>`)}
    ${metricsTable(benchmark)}
    <details>
      <summary>Every outcome: ${count(outcomes[0].length + outcomes[1].length)} runs</summary>
      ${outcomesTable(benchmark)}
      <p class="muted">As CSV or JSON, with the workload: in the panel “Records and report”.</p>
    </details>
  </div>`;
}

/** @param {Benchmark} benchmark */
function metricsTable({ summary }) {
  return html`<p class="muted">
      Median, with the smallest and the largest value in brackets; the ratio is B by A, pair by pair.
    </p>
    <div class="scroll-x bench-scroll" tabindex="0" role="group" aria-label="Metrics of the benchmark">
    <table class="lab-table" id="ab-bench-metrics">
      ${tableHead(["Metric", "A", "B", "B ÷ A", "So"])}
      <tbody>
        ${metricRows(summary).map(
          ({ metric, label, unit, boundary, a, b, byA, verdict }) =>
            html`<tr data-metric=${metric}>
              <th scope="row">${label}, ${unit}<br /><span class="muted">${boundary}</span></th>
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
  const columns = ["Pair", "Side", "Prefill, ms", "Decode, ms", "Whole run, ms", "Tokens", "Whole run, B ÷ A"];
  return html`<div class="scroll-x bench-scroll" tabindex="0" role="group" aria-label="Every outcome">
    <table class="lab-table" id="ab-bench-outcomes">
      ${tableHead(columns)}
      <tbody>
        ${a.map((outcome, n) => [
          outcomeRow(outcome, "A", n, plan.warmUps, undefined),
          outcomeRow(b[n], "B", n, plan.warmUps, ratios[n - plan.warmUps]),
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
    <th scope="row">${warmUp ? html`<span class="tag soft">warm-up ${n + 1}</span>` : n - warmUps + 1}</th>
    <td>${side}</td>
    ${[prefillMs, decodeMs, totalMs].map((value) => html`<td class="numbers">${figure(value)}</td>`)}
    <td class="numbers">${count(outputTokens)}</td>
    <td class="numbers">${byA === undefined ? nothing : ratio(byA)}</td>
  </tr>`;
}
