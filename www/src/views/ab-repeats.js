/** One configuration run several times: with the same seed, which proves equal, and under one seed after the other. */

import { html, live, nothing } from "../../vendor/lit-html.js";
import { firstAlike, seriesSentence } from "../ab/verdict.js";
import { words } from "../words/ab.js";
import { typedField } from "./fields.js";
import { foldView } from "./fold.js";

/** @import { AbActions } from "../ab/actions.js" */
/** @import { AbState, SampleSeries, Side } from "../ab/types.js" */

const sides = /** @type {const} */ ([0, 1]);

/** @param {AbState} ab @param {boolean} ready @param {AbActions} actions */
export function repeatsView(ab, ready, actions) {
  const { repeats } = words;
  const { subject, sampleCount, typed, faults, series, work } = ab;
  const busy = work === null ? nothing : "true";
  const content = html`<div class="panel-line lab-work">
      <span role="radiogroup" aria-label=${repeats.which} class="ab-subject"
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
              ${words.sides[side]}</label
            >`,
        )}</span
      >
      <div class="buttons">
        <button type="button" id="ab-twice" ?disabled=${!ready} aria-disabled=${busy} @click=${actions.runTwice}>
          ${repeats.twice}
        </button>
        <button
          type="button"
          id="ab-samples"
          ?disabled=${!ready || faults.count !== undefined}
          aria-disabled=${busy}
          @click=${actions.runSamples}
        >
          ${repeats.samples(sampleCount)}
        </button>
      </div>
      <label class="lab-field"
        >${repeats.howMany}
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
    ${series === null ? nothing : seriesView(series, actions)}`;
  return foldView({ id: "ab-repeats-title", name: "lab-part", title: repeats.heading, content });
}

/** @param {SampleSeries} series @param {AbActions} actions */
function seriesView(series, actions) {
  const { samples, side } = series;
  const { columns } = words.repeats;
  const alike = firstAlike(samples);
  return html`<p class="lab-verdict" id="ab-series">${words.repeats.ofSide(words.sides[side], seriesSentence(series))}</p>
    <div class="scroll-y ab-samples" tabindex="0" role="group" aria-label=${words.repeats.list}>
      <table class="lab-table" id="ab-sample-table">
        <thead>
          <tr>
            <th scope="col">${columns.seed}</th>
            <th scope="col">${columns.text}</th>
            <th scope="col"><span class="visually-hidden">${columns.repeat}</span></th>
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
      <span class="ab-text">${text ?? words.repeats.tokens(newIds.length)}</span>
      ${first === sample ? nothing : html`<span class="tag soft">${words.repeats.sameAs(first.seed)}</span>`}
    </td>
    <td>
      <button type="button" class="quiet small" @click=${() => actions.useSeed(side, seed)}>
        ${words.repeats.use}<span class="visually-hidden">${words.repeats.useWhich(seed)}</span>
      </button>
    </td>
  </tr>`;
}
