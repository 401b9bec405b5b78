/** The worked example: sampling with a few tokens whose chances can be checked by hand. */

import { html, nothing } from "../../vendor/lit-html.js";
import { manyDraws } from "../bench-actions.js";
import { variants } from "../example.js";
import { callOf, faultsOf, fewestTokens, mostTokens, tokenName } from "../example-numbers.js";
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
  const faults = faultsOf(input);
  const outcome = outcomes[shown];
  return html`
    <p class="muted">
      Sampling with numbers that you can check by hand: logits log 8, log 4, log 2 and log 1 are the weights 8, 4, 2 and 1, so
      every chance is a fraction. Change a number, or press a button after “Try”, and see which tokens each order and rule
      keeps. The engine that samples the model's text computes all numbers; a fraction stands where the two agree.
    </p>
    <div class="example-input">
      ${input.logits.map((text, id) =>
        field(`logit-${id}`, tokenName(id), `Logit of ${tokenName(id)}`, text, faults[id], (typed) =>
          actions.change({ logits: input.logits.map((other, n) => (n === id ? typed : other)) }),
        ),
      )}
      <button
        type="button"
        class="quiet small"
        ?disabled=${input.logits.length >= mostTokens}
        @click=${() => actions.change({ logits: [...input.logits, "log 1"] })}
      >
        Add a token
      </button>
      <button
        type="button"
        class="quiet small"
        ?disabled=${input.logits.length <= fewestTokens}
        @click=${() => actions.change({ logits: input.logits.slice(0, -1) })}
      >
        Remove ${tokenName(input.logits.length - 1)}
      </button>
    </div>
    <div class="example-input">
      ${field("temperature", "Temperature", "Temperature of the example", input.temperature, faults.temperature, (temperature) =>
        actions.change({ temperature }),
      )}
      ${field("topK", "Top-k", "Top-k of the example", input.topK, faults.topK, (topK) => actions.change({ topK }))}
      ${field("topP", "Top-p", "Top-p of the example", input.topP, faults.topP, (topP) => actions.change({ topP }))}
      <span class="label">Try</span>
      ${tries.map(
        ([label, change]) => html`<button type="button" class="quiet small" @click=${() => actions.change(change)}>
          ${label}
        </button>`,
      )}
    </div>
    <div id="example-faults">${Object.values(faults).map((fault) => html`<p class="fault">${fault}</p>`)}</div>
    ${
      activeWorkerId === null
        ? html`<p class="muted">The engine is not there yet.</p>`
        : html`${variantsTable(example, actions)} ${outcome && "step" in outcome ? stagesTable(example, outcome.step) : nothing}`
    }
    <div class="panel-line">
      <h3>Draw many times</h3>
      <span class="buttons">
        <button type="button" class="small" id="example-draw" @click=${() => actions.draw(false)}>Draw 1,000 times</button>
        <button type="button" class="quiet small" @click=${() => actions.draw(true)}>With a fresh seed</button>
      </span>
    </div>
    ${
      draws !== null && draws.variant === shown
        ? drawsView(draws.result, { most: mostTokens, nameOf: tokenName })
        : html`<p class="muted">Draws from the chances of the row chosen above.</p>`
    }
  `;
}

/** @type {[string, Partial<ExampleInput>][]} */
const tries = [
  ["No filter", { temperature: "1", topK: "", topP: "" }],
  ["Top-k 2", { temperature: "1", topK: "2", topP: "" }],
  ["Border at p = 4/5", { temperature: "1", topK: "", topP: "4/5" }],
  ["T = 1/2, p = 3/4", { temperature: "1/2", topK: "", topP: "3/4" }],
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
      placeholder: name.startsWith("top") ? "off" : undefined,
      fault: fault ?? null,
      faultId: "example-faults",
      value: text,
      type: typed,
    })}</label
  >`;
}
