/** The text-scores panel: a text scored in one pass, the loop beside it, and the digest of the weights around a generation. */

import { html, live, nothing } from "../../vendor/lit-html.js";
import { createScoresActions } from "../scores/actions.js";
import { faultsOf, isOutdated, scoresOf } from "../scores/state.js";
import { areEqual, digestsSentence, hashedSentence, loopSentence, perByteSentence, summarySentence } from "../scores/words.js";
import { words } from "../words/scores.js";
import { typedField } from "./fields.js";
import { labWorkView } from "./lab-work.js";
import { scoredTextsView } from "./scores-texts.js";

/** @import { LabParts, PanelView } from "../panels.js" */
/** @import { State } from "../page-types.js" */
/** @import { ScoresActions } from "../scores/actions.js" */
/** @import { ComparedDigests, MadeScores, ScoresLab } from "../scores/types.js" */

/** @param {LabParts} parts @returns {PanelView} */
export function createPanel(parts) {
  const actions = createScoresActions(parts);
  return (state) => scoresView(state, actions);
}

/** @param {State} state @param {ScoresActions} actions */
function scoresView(state, actions) {
  const lab = scoresOf(state);
  const { setup, made, work, fault, kind } = lab;
  const faults = faultsOf(setup);
  const ready = state.activeWorkerId !== null && state.model?.hasTokenizer === true;
  const wrong = Object.keys(faults).length > 0;
  return html`<div class="scores lab-stack">
    <p class="muted">${words.about}</p>
    ${setupView(state, lab, faults, actions)}
    ${labWorkView({
      id: "scores",
      label: words.run,
      what: words.runWork,
      ready: ready && !wrong && work === null,
      work: kind === "score" ? work : null,
      fault: kind === "score" ? fault : null,
      run: actions.score,
      stop: actions.stop,
      hint: state.model === null || ready ? nothing : words.noTokenizer,
    })}
    ${made === null ? nothing : madeView(lab, made, actions)}
    <section class="lab-stack lab-part" aria-labelledby="scores-digests-title">
      <h3 id="scores-digests-title">${words.digests.heading}</h3>
      <p class="muted">${words.digests.about}</p>
      ${labWorkView({
        id: "digests",
        label: words.digests.run,
        what: words.digests.runWork,
        ready: ready && work === null,
        work: kind === "digests" ? work : null,
        fault: kind === "digests" ? fault : null,
        run: actions.compareDigests,
        stop: actions.stop,
      })}
      ${lab.digests === null ? nothing : digestsView(lab.digests)}
    </section>
  </div>`;
}

/** @param {State} state @param {ScoresLab} lab @param {ReturnType<typeof faultsOf>} faults @param {ScoresActions} actions */
function setupView({ model, prompt }, { setup }, faults, actions) {
  const end = model?.card.eosTokenId ?? null;
  const { setup: says } = words;
  return html`<label for="scores-text">${says.text}</label>
    <textarea
      id="scores-text"
      rows="3"
      spellcheck="false"
      aria-invalid=${faults.text === undefined ? nothing : "true"}
      .value=${live(setup.text)}
      @input=${(/** @type {Event & { target: HTMLTextAreaElement }} */ { target }) => actions.change({ text: target.value })}
    ></textarea>
    ${faults.text === undefined ? nothing : html`<p class="fault">${faults.text}</p>`}
    <div class="scores-options">
      <button type="button" class="quiet small" id="scores-take" ?disabled=${prompt === ""} @click=${actions.takePageText}>
        ${says.take}
      </button>
      <label class="switch"
        ><input
          type="checkbox"
          id="scores-start"
          ?disabled=${end === null}
          .checked=${live(setup.start && end !== null)}
          @change=${(/** @type {Event & { target: HTMLInputElement }} */ { target }) => actions.change({ start: target.checked })}
        />
        ${says.startToken}</label
      >
      <span class="scores-loop" role="radiogroup" aria-label=${says.loopLabel}
        >${says.loop}
        ${/** @type {const} */ (["greedy", "page"]).map(
          (value) =>
            html`<label class="switch"
              ><input
                type="radio"
                name="scores-loop"
                id=${`scores-loop-${value}`}
                .checked=${live(setup.loop === value)}
                @change=${() => actions.change({ loop: value })}
              />
              ${says.loops[value]}</label
            >`,
        )}</span
      >
      <label class="switch"
        >${says.given}
        ${typedField({
          id: "scores-given",
          fault: faults.given ?? null,
          value: setup.given,
          type: (given) => actions.change({ given }),
        })}</label
      >
      ${faults.given === undefined ? nothing : html`<p class="fault" id="scores-given-fault">${faults.given}</p>`}
    </div>`;
}

/** @param {ScoresLab} lab @param {MadeScores} made @param {ScoresActions} actions */
function madeView(lab, made, actions) {
  const perByte = perByteSentence(made.text);
  return html`<div class="lab-stack" id="scores-made">
    ${isOutdated(lab) ? html`<p class="tag" id="scores-outdated">${words.outdated}</p>` : nothing}
    <p id="scores-summary" class="lab-verdict">${summarySentence(made.text)}</p>
    <p id="scores-comparable">${words.byToken} ${perByte ?? nothing}</p>
    <p id="scores-loop-summary">${loopSentence(made)}</p>
    ${scoredTextsView(lab, made, actions)}
  </div>`;
}

/** @param {ComparedDigests} digests */
function digestsView(digests) {
  const { before, after } = digests;
  const { checkpointBefore, checkpointAfter, modelBefore, modelAfter } = words.digests.rows;
  const rows = [
    [checkpointBefore, before.checkpoint],
    [checkpointAfter, after.checkpoint],
    [modelBefore, before.model],
    [modelAfter, after.model],
  ];
  return html`<p id="digests-verdict" class="lab-verdict" data-equal=${areEqual(before, after)}>${digestsSentence(digests)}</p>
    <p class="muted">${hashedSentence(before)}</p>
    <table class="lab-table" id="digests-table">
      <tbody>
        ${rows.map(([name, digest]) => html`<tr><th scope="row">${name}</th><td><code>${digest}</code></td></tr>`)}
      </tbody>
    </table>`;
}
