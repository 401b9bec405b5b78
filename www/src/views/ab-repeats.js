/** One configuration run several times: with the same seed, which proves equal, and under one seed after the other. */

import { html, live, nothing } from "../../vendor/lit-html.js";
import { firstAlike, seriesSentence } from "../ab/verdict.js";
import { plural } from "../format.js";
import { typedField } from "./fields.js";

/** @import { AbActions } from "../ab/actions.js" */
/** @import { AbState, SampleSeries, Side } from "../ab/types.js" */

const sides = /** @type {const} */ ([0, 1]);
const names = /** @type {const} */ (["A", "B"]);

/** @param {AbState} ab @param {boolean} ready @param {AbActions} actions */
export function repeatsView(ab, ready, actions) {
  const { subject, sampleCount, typed, faults, series, work } = ab;
  const busy = work === null ? nothing : "true";
  return html`<section class="ab-repeats lab-stack lab-part" aria-labelledby="ab-repeats-title">
    <h3 id="ab-repeats-title">One configuration, several runs</h3>
    <div class="panel-line lab-work">
      <span role="radiogroup" aria-label="Which configuration" class="ab-subject"
        >${sides.map(
          (side) =>
            html`<label class="switch"
              ><input
                type="radio"
                name="ab-subject"
                id=${`ab-subject-${side}`}
                .checked=${live(subject === side)}
                @change=${() => actions.chooseSubject(side)}
              />
              ${names[side]}</label
            >`,
        )}</span
      >
      <div class="buttons">
        <button type="button" id="ab-twice" ?disabled=${!ready} aria-disabled=${busy} @click=${actions.runTwice}>
          Same seed twice
        </button>
        <button
          type="button"
          id="ab-samples"
          ?disabled=${!ready || faults.count !== undefined}
          aria-disabled=${busy}
          @click=${actions.runSamples}
        >
          ${plural(sampleCount, "sample")} by seed
        </button>
      </div>
      <label class="lab-field"
        >How many
        ${typedField({
          id: "ab-count",
          fault: faults.count ?? null,
          value: typed.count ?? String(sampleCount),
          type: actions.typeCount,
          leave: actions.leave,
        })}</label
      >
    </div>
    ${faults.count === undefined ? nothing : html`<p class="fault" id="ab-count-fault">${faults.count}</p>`}
    ${series === null ? nothing : seriesView(series, actions)}
  </section>`;
}

/** @param {SampleSeries} series @param {AbActions} actions */
function seriesView(series, actions) {
  const { samples, side } = series;
  const alike = firstAlike(samples);
  return html`<p class="lab-verdict" id="ab-series">${names[side]}: ${seriesSentence(series)}</p>
    <div class="scroll-y ab-samples" tabindex="0" role="group" aria-label="Samples">
      <table class="lab-table" id="ab-sample-table">
        <thead>
          <tr>
            <th scope="col">Seed</th>
            <th scope="col">Text</th>
            <th scope="col"><span class="visually-hidden">Repeat it</span></th>
          </tr>
        </thead>
        <tbody>
          ${samples.map((sample, n) => sampleRow(sample, samples[alike[n]], side, actions))}
        </tbody>
      </table>
    </div>`;
}

/**
 * @param {SampleSeries["samples"][number]} sample @param {SampleSeries["samples"][number]} first with the same tokens
 * @param {Side} side @param {AbActions} actions
 */
function sampleRow(sample, first, side, actions) {
  const { seed, text, newIds } = sample;
  return html`<tr data-seed=${seed}>
    <th scope="row" class="numbers">${seed}</th>
    <td>
      <span class="ab-text">${text ?? plural(newIds.length, "token")}</span>
      ${first === sample ? nothing : html`<span class="tag soft">same as seed ${first.seed}</span>`}
    </td>
    <td>
      <button type="button" class="quiet small" @click=${() => actions.useSeed(side, seed)}>
        Use this seed<span class="visually-hidden">, ${seed}</span>
      </button>
    </td>
  </tr>`;
}
