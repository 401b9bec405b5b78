/** A number field of the memory panel: what is typed stays, with a sentence where it is not in force. */

import { html } from "../../vendor/lit-html.js";
import { atMost } from "../format.js";
import { fieldFault, typedField } from "./fields.js";

/** @import { MemoryLab } from "../memory-lab/types.js" */

/**
 * @param {MemoryLab} lab @param {string} name @param {string} label for ears @param {number} value in force
 * @param {(text: string) => void} type @param {() => void} leave
 */
export function numberField({ typed, faults }, name, label, value, type, leave) {
  const fault = faults[name];
  const id = `memory-${name}`;
  return html`${typedField({
    id,
    label,
    keys: "decimal",
    fault: fault ?? null,
    value: typed[name] ?? atMost(value, 6),
    type,
    leave,
  })} ${fieldFault(id, fault)}`;
}
