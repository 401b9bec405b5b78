/** The two configurations of the A/B panel, line by line beside each other; a line that differs says so. */

import { html, live, nothing } from "../../vendor/lit-html.js";
import { differences, engineFields, starts } from "../ab/configuration.js";
import { fieldKey } from "../ab/state.js";
import { ranges } from "../controls.js";
import { setting } from "../format.js";
import { sameSetting } from "../presets.js";
import { settingsLine } from "../settings-words.js";
import { words } from "../words/ab.js";
import { words as labWords } from "../words/lab-work.js";
import { choiceField, fieldFault, typedField } from "./fields.js";
import { foldView } from "./fold.js";

/** @import { CatalogueEntry } from "../messages.js" */
/** @import { Controls } from "../page-types.js" */
/** @import { AbActions } from "../ab/actions.js" */
/** @import { AbEvent, AbState, Side } from "../ab/types.js" */

/** @typedef {Extract<AbEvent, { type: "typed" }>["name"]} Field */

/** What a line needs. @typedef {{ ab: AbState, actions: AbActions, differing: Set<string> }} Lines */

/** @type {Field[]} */
const fields = ["temperature", "topK", "topP", "seed", "maxNewTokens"];
const sides = /** @type {const} */ ([0, 1]);

/**
 * @param {AbState} ab @param {CatalogueEntry[]} entries @param {boolean} relaxedSimd whether the browser has it
 * @param {AbActions} actions
 */
export function configurationsView(ab, entries, relaxedSimd, actions) {
  const lines = { ab, actions, differing: new Set(differences(ab.pair).map(({ name }) => name)) };
  const models = [
    { value: "", label: labWords.pageModel },
    ...entries.map(({ id, title }) => ({ value: id, label: title })),
  ];
  return html`<div class="ab-lines" id="ab-configurations">
    <div class="ab-line ab-names" aria-hidden="true"><span></span>${words.sides.map((side) => html`<b>${side}</b>`)}</div>
    ${line("start", words.lines.start, lines, (side) => startSelect(side, lines))}
    ${line("greedy", words.lines.greedy, lines, (side) => greedyBox(side, lines))}
    ${fields.map((name) => line(name, words.fields[name], lines, (side) => numberField(side, name, lines)))}
    ${foldView({ id: "ab-engine-title", name: "ab-engine", title: engineTitle(lines), content: engineLines(lines, models, relaxedSimd) })}
    ${line("words", words.lines.words, lines, (side) => html`<p class="muted" id=${`ab-${side}-words`}>${settingsLine(ab.pair[side].controls)}</p>`)}
  </div>`;
}

/** What differs in it is to be seen while it is folded. @param {Lines} lines */
function engineTitle({ differing }) {
  const differs = ["model", ...engineFields.map(({ name }) => name)].some((name) => differing.has(name));
  return html`${words.engine} ${differs ? html`<span class="tag">${words.differs}</span>` : nothing}`;
}

/** @param {Lines} lines @param {{ value: string, label: string }[]} models @param {boolean} relaxedSimd */
function engineLines(lines, models, relaxedSimd) {
  const { ab, actions } = lines;
  return html`<div class="ab-lines">
    ${line("model", words.fields.model, lines, (side) =>
      select(side, "model", words.fields.model, models, ab.pair[side].model ?? "", (value) =>
        actions.choose(side, { model: value || null }),
      ),
    )}
    ${offered(relaxedSimd).map(({ name, label, values }) =>
      line(name, label, lines, (side) =>
        select(side, name, label, values, ab.pair[side][name] ?? "", (value) =>
          actions.choose(side, { [name]: value }),
        ),
      ),
    )}
  </div>`;
}

/** The choices of which this browser has more than one. @param {boolean} relaxedSimd */
function offered(relaxedSimd) {
  return engineFields
    .map((field) => ({ ...field, values: field.values.filter((value) => relaxedSimd || !value.needsRelaxedSimd) }))
    .filter(({ values }) => values.length > 1);
}

/** @param {string} name @param {string} label @param {Lines} lines @param {(side: Side) => unknown} cell */
function line(name, label, { differing }, cell) {
  return html`<div class="ab-line" role="group" aria-label=${label} data-line=${name}>
    <span class="ab-label">${label} ${differing.has(name) ? html`<span class="tag">${words.differs}</span>` : nothing}</span>
    ${sides.map((side) => html`<div class="ab-cell">${cell(side)}</div>`)}
  </div>`;
}

/** @param {Side} side @param {Lines} lines */
function startSelect(side, { ab, actions }) {
  const { controls } = ab.pair[side];
  const inForce =
    starts.find(({ id, values }) => id !== "greedy" && holds(values, controls))?.id ??
    (controls.greedy ? "greedy" : "own");
  const options = [
    { value: "own", label: words.starts.own },
    { value: "page", label: words.starts.page },
    ...starts.map(({ id, label }) => ({ value: id, label })),
  ];
  return select(side, "start", words.lines.start, options, inForce, (id) => actions.startFrom(side, id));
}

/** @param {Partial<Controls>} values @param {Controls} controls */
function holds(values, controls) {
  const held = /** @type {(keyof Controls)[]} */ (Object.keys(values));
  return held.every((name) => sameSetting(values[name], controls[name]));
}

/** @param {Side} side @param {Lines} lines */
function greedyBox(side, { ab, actions }) {
  const { greedy } = ab.pair[side].controls;
  return html`<label class="hit"><input
    type="checkbox"
    id=${`ab-${side}-greedy`}
    aria-label=${words.fieldOf(words.sides[side], words.greedyBox)}
    .checked=${live(greedy)}
    @change=${() => actions.setControls(side, { greedy: !greedy })}
  /></label>`;
}

/** @param {Side} side @param {Field} name @param {Lines} lines */
function numberField(side, name, { ab, actions }) {
  const { controls } = ab.pair[side];
  const key = fieldKey(side, name);
  const { off } = ranges[name];
  const fault = ab.faults[key];
  const unused = controls.greedy && name !== "maxNewTokens";
  const id = `ab-${side}-${name}`;
  return html`${typedField({
    id,
    label: (unused ? words.unusedFieldOf : words.fieldOf)(words.sides[side], words.things[name]),
    keys: "decimal",
    placeholder: off === undefined ? undefined : labWords.off,
    fault: fault ?? null,
    disabled: unused,
    value: ab.typed[key] ?? (controls[name] === off ? "" : setting(controls[name])),
    type: (text) => actions.type(side, name, text),
    leave: actions.leave,
  })}
  ${fieldFault(id, fault)}`;
}

/**
 * @param {Side} side @param {string} name @param {string} label @param {{ value: string, label: string }[]} options
 * @param {string} value @param {(value: string) => void} choose
 */
function select(side, name, label, options, value, choose) {
  // What the page's model was loaded with need not be among the usual choices.
  const known = options.some((option) => option.value === value) ? options : [...options, { value, label: value }];
  return choiceField({ id: `ab-${side}-${name}`, label: words.fieldOf(words.sides[side], label), options: known, value, choose });
}
