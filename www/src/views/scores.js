/** The text-scores panel: a text scored in one pass, the loop beside it, and the digest of the weights around a generation. */

import { html, live, nothing } from "../../vendor/lit-html.js";
import { createScoresActions } from "../scores/actions.js";
import { faultsOf, isOutdated, scoresOf } from "../scores/state.js";
import { areEqual, digestsSentence, hashedSentence, loopSentence, perByteSentence, summarySentence } from "../scores/words.js";
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
  return html`<div class="scores lab-stack" aria-busy=${work !== null}>
    <p class="muted">
      A text that is there already: one pass tells, at every position, how likely the model found the token that really
      comes next, as in training. Beside it runs the loop, which reads its own tokens. Try a text with a mistake in it.
    </p>
    ${setupView(state, lab, faults, actions)}
    ${labWorkView({
      id: "scores",
      label: "Score the text",
      what: "scoring",
      ready: ready && !wrong && work === null,
      work: kind === "score" ? work : null,
      fault: kind === "score" ? fault : null,
      run: actions.score,
      stop: actions.stop,
      hint: state.model === null || ready ? nothing : "This model has no tokenizer, so it reads no text.",
    })}
    ${made === null ? nothing : madeView(lab, made, actions)}
    <section class="lab-stack lab-part" aria-labelledby="scores-digests-title">
      <h3 id="scores-digests-title">Does generating change the weights?</h3>
      <p class="muted">Takes a digest of the weights in memory, generates from the page's prompt, and takes it again.</p>
      ${labWorkView({
        id: "digests",
        label: "Generate and compare digests",
        what: "comparing digests",
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
  return html`<label for="scores-text">Text</label>
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
        Take the page's prompt and text
      </button>
      <label class="switch"
        ><input
          type="checkbox"
          id="scores-start"
          ?disabled=${end === null}
          .checked=${live(setup.start && end !== null)}
          @change=${(/** @type {Event & { target: HTMLInputElement }} */ { target }) => actions.change({ start: target.checked })}
        />
        End-of-text token in front, so that the first token is predicted too</label
      >
      <span class="scores-loop" role="radiogroup" aria-label="How the loop picks"
        >The loop picks
        ${/** @type {const} */ ([["greedy", "greedily"], ["page", "with the page's settings"]]).map(
          ([value, label]) =>
            html`<label class="switch"
              ><input
                type="radio"
                name="scores-loop"
                id=${`scores-loop-${value}`}
                .checked=${live(setup.loop === value)}
                @change=${() => actions.change({ loop: value })}
              />
              ${label}</label
            >`,
        )}</span
      >
      <label class="switch"
        >and is given this many tokens
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
    ${isOutdated(lab) ? html`<p class="tag" id="scores-outdated">Made of another text or with other choices than above</p>` : nothing}
    <p id="scores-summary" class="lab-verdict">${summarySentence(made.text)}</p>
    <p id="scores-comparable">
      A perplexity counts by token, so it cannot be compared between models with different tokenizers: another one cuts the
      same text into more or fewer pieces. ${perByte ?? nothing}
    </p>
    <p id="scores-loop-summary">${loopSentence(made)}</p>
    ${scoredTextsView(lab, made, actions)}
  </div>`;
}

/** @param {ComparedDigests} digests */
function digestsView(digests) {
  const { before, after } = digests;
  const rows = [
    ["checkpoint, before", before.checkpoint],
    ["checkpoint, after", after.checkpoint],
    ["what is computed with, before", before.model],
    ["what is computed with, after", after.model],
  ];
  return html`<p id="digests-verdict" class="lab-verdict" data-equal=${areEqual(before, after)}>${digestsSentence(digests)}</p>
    <p class="muted">${hashedSentence(before)}</p>
    <table class="lab-table" id="digests-table">
      <tbody>
        ${rows.map(([name, digest]) => html`<tr><th scope="row">${name}</th><td><code>${digest}</code></td></tr>`)}
      </tbody>
    </table>`;
}
