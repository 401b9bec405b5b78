/** The worked example: sampling with a few tokens whose chances can be checked by hand. */

import { html, nothing } from "../../vendor/lit-html.js";
import { manyDraws } from "../bench-actions.js";
import { variants } from "../example.js";
import { callOf, faultsOf, fewestTokens, mostTokens, tokenName } from "../example-numbers.js";
import { words } from "../words/example.js";
import { words as labWords } from "../words/lab-work.js";
import { drawsView } from "./draws.js";
import { typedField } from "./fields.js";
import { stagesTable, variantsTable } from "./example-tables.js";

/** @import { ExampleInput } from "../example-types.js" */
/** @import { State } from "../page-types.js" */
/** @import { LabParts, PanelView } from "../panels.js" */

/** @typedef {ReturnType<typeof createActions>} ExampleActions */

/** @param {LabParts} parts */
function createActions({ getState, dispatch, client }) {
  function ask() {
    const { example, activeWorkerId } = getState();
    const calls = variants.map((variant) => callOf(example.input, variant));
    if (activeWorkerId === null || calls.includes(null)) return;
    dispatch({ type: "exampleSent" });
    const { runIds } = getState().example;
    calls.forEach((call, n) => {
      if (call) client.send({ type: "call", runId: runIds[n], call: { method: "sampleStep", ...call, uniform: 0 } });
    });
  }

  return {
    ask,

    /** @param {Partial<ExampleInput>} input */
    change(input) {
      dispatch({ type: "exampleChanged", input });
      ask();
    },

    /** @param {number} shown index of a variant */
    show: (shown) => dispatch({ type: "exampleChanged", shown }),

    /** @param {boolean} fresh with a fresh seed, not the page's */
    draw(fresh) {
      const { example, controls } = getState();
      const call = callOf(example.input, variants[example.shown]);
      if (call === null) return;
      dispatch({ type: "exampleDrawsSent" });
      const seed = fresh ? crypto.getRandomValues(new Uint32Array(1))[0] : controls.seed;
      const runId = getState().lastRunId;
      client.send({ type: "call", runId, call: { method: "draws", ...call, seed, draws: manyDraws } });
    },
  };
}

/** @param {LabParts} parts @returns {PanelView} */
export function createPanel(parts) {
  const actions = createActions(parts);
  parts.eachChange((state, before) => {
    if (state.activeWorkerId !== before.activeWorkerId) actions.ask();
  });
  actions.ask();
  return (state) => view(state, actions);
}

/** @param {State} state @param {ExampleActions} actions */
function view({ example, activeWorkerId }, actions) {
  const { input, shown, outcomes, draws } = example;
  const { fields, spokenFields } = words;
  const faults = faultsOf(input);
  const outcome = outcomes[shown];
  return html`
    <p class="muted">${words.intro}</p>
    <div class="example-input">
      ${input.logits.map((text, id) =>
        field(`logit-${id}`, tokenName(id), words.logitOf(tokenName(id)), text, faults[id], (typed) =>
          actions.change({ logits: input.logits.map((other, n) => (n === id ? typed : other)) }),
        ),
      )}
      <button
        type="button"
        class="quiet small"
        ?disabled=${input.logits.length >= mostTokens}
        @click=${() => actions.change({ logits: [...input.logits, "log 1"] })}
      >
        ${words.addToken}
      </button>
      <button
        type="button"
        class="quiet small"
        ?disabled=${input.logits.length <= fewestTokens}
        @click=${() => actions.change({ logits: input.logits.slice(0, -1) })}
      >
        ${words.remove(tokenName(input.logits.length - 1))}
      </button>
    </div>
    <div class="example-input">
      ${field("temperature", fields.temperature, spokenFields.temperature, input.temperature, faults.temperature, (temperature) =>
        actions.change({ temperature }),
      )}
      ${field("topK", fields.topK, spokenFields.topK, input.topK, faults.topK, (topK) => actions.change({ topK }))}
      ${field("topP", fields.topP, spokenFields.topP, input.topP, faults.topP, (topP) => actions.change({ topP }))}
      <span class="label">${words.try}</span>
      ${tries.map(
        ([label, change]) => html`<button type="button" class="quiet small" @click=${() => actions.change(change)}>
          ${label}
        </button>`,
      )}
    </div>
    <div id="example-faults">${Object.values(faults).map((fault) => html`<p class="fault">${fault}</p>`)}</div>
    ${
      activeWorkerId === null
        ? html`<p class="muted">${words.noEngine}</p>`
        : html`${variantsTable(example, actions)} ${outcome && "step" in outcome ? stagesTable(example, outcome.step) : nothing}`
    }
    <div class="panel-line">
      <h3>${words.drawHeading}</h3>
      <span class="buttons">
        <button type="button" class="small" id="example-draw" @click=${() => actions.draw(false)}>${words.draw(manyDraws)}</button>
        <button type="button" class="quiet small" @click=${() => actions.draw(true)}>${words.drawFresh}</button>
      </span>
    </div>
    ${
      draws !== null && draws.variant === shown
        ? drawsView(draws.result, { most: mostTokens, nameOf: tokenName })
        : html`<p class="muted">${words.drawHint}</p>`
    }
  `;
}

/** @type {[string, Partial<ExampleInput>][]} */
const tries = [
  [words.tries.none, { temperature: "1", topK: "", topP: "" }],
  [words.tries.topK, { temperature: "1", topK: "2", topP: "" }],
  [words.tries.border, { temperature: "1", topK: "", topP: "4/5" }],
  [words.tries.both, { temperature: "1/2", topK: "", topP: "3/4" }],
];

/**
 * @param {string} name @param {string} label @param {string} spoken @param {string} text @param {string | undefined} fault
 * @param {(text: string) => void} typed
 */
function field(name, label, spoken, text, fault, typed) {
  return html`<label class="lab-field"
    ><span aria-hidden="true">${label}</span>
    ${typedField({
      id: `example-${name}`,
      label: spoken,
      keys: null,
      placeholder: name.startsWith("top") ? labWords.off : undefined,
      fault: fault ?? null,
      faultId: "example-faults",
      value: text,
      type: typed,
    })}</label
  >`;
}
