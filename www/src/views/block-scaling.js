/** Quantised lists: one scale for all numbers against a scale for each block, and the bytes of packed weights. */

import { html, live, nothing } from "../../vendor/lit-html.js";
import { count, figure, plural } from "../format.js";
import { codeFormats } from "../precision/state.js";
import { choiceField } from "./fields.js";
import { textField } from "./number-formats.js";
import { tableHead } from "./table.js";

/** @import { PrecisionActions } from "../precision/actions.js" */
/** @import { PrecisionLab } from "../lab-types.js" */
/** @import { BlockScaling, Quantised } from "../protocol.js" */

/** @param {PrecisionLab["blocks"]} blocks @param {PrecisionActions} actions */
export function blocksView({ typed, size, format, result, fault }, actions) {
  return html`<p class="muted">
      A code names one of a few values; the scale, the largest number divided by the largest code, says how large they are. One
      large number widens the steps of all that share its scale. Change a number or the block, and look at the errors.
    </p>
    <label for="precision-list">Numbers, apart by spaces, commas or lines</label>
    <textarea
      id="precision-list"
      rows="3"
      spellcheck="false"
      class="numbers"
      .value=${live(typed)}
      @input=${(/** @type {InputEvent & { target: HTMLTextAreaElement }} */ { target }) =>
        actions.changeBlocks({ typed: target.value })}
    ></textarea>
    <div class="precision-input">
      ${textField("precision-block-size", "Numbers in a block", size, fault, "precision-blocks-fault", (text) => actions.changeBlocks({ size: text }))}
      <label class="lab-field"
        >Code
        ${choiceField({
          id: "precision-code-format",
          options: codeFormats.map(({ id, label }) => ({ value: id, label })),
          value: format,
          choose: (format) => actions.changeBlocks({ format }),
        })}</label
      >
    </div>
    ${fault === null ? nothing : html`<p class="fault" id="precision-blocks-fault">${fault}</p>`}
    ${result === null || fault !== null ? nothing : blocksResult(result)}`;
}

/** @param {BlockScaling} result */
function blocksResult({ values, format, whole, blocks }) {
  return html`<table class="lab-table precision-facts numbers" id="precision-block-summary">
      ${tableHead([format, "One scale for all", `A scale for each ${count(blocks.blockSize)}`])}
      <tbody>
        ${summaryRow("Scales (BF16)", (list) => plural(list.scales.length, "scale"), whole, blocks)}
        ${summaryRow("Bytes: codes + scales", ({ bytes }) => `${count(bytes.codeBytes)} + ${count(bytes.scaleBytes)}`, whole, blocks)}
        ${summaryRow("Largest error", ({ largestError }) => figure(largestError), whole, blocks)}
        ${summaryRow("RMS error", ({ rmsError }) => figure(rmsError), whole, blocks)}
        ${summaryRow("Numbers that became 0", ({ lost }) => count(lost), whole, blocks)}
      </tbody>
    </table>
    <div class="scroll-y precision-list" tabindex="0" role="group" aria-label="Every number as it is stored">
      <table class="lab-table precision-facts numbers" id="precision-block-table">
        ${tableHead(["Number", "One scale", "Scale by block"])}
        <tbody>
          ${[...values].map((value, n) => {
            const block = Math.floor(n / blocks.blockSize);
            return html`<tr>
              <th scope="row">${plain(value)}</th>
              <td>${plain(whole.values[n])} <small class="muted">error ${figure(whole.errors[n])}</small></td>
              <td>
                ${plain(blocks.values[n])}
                <small class="muted">error ${figure(blocks.errors[n])}; block ${block + 1}, scale ${figure(blocks.scales[block])}</small>
              </td>
            </tr>`;
          })}
        </tbody>
      </table>
    </div>`;
}

/** @param {string} name @param {(list: Quantised) => string} cell @param {Quantised} whole @param {Quantised} blocks */
function summaryRow(name, cell, whole, blocks) {
  return html`<tr>
    <th scope="row">${name}</th>
    <td>${cell(whole)}</td>
    <td>${cell(blocks)}</td>
  </tr>`;
}

/** @param {number} value */
const plain = (value) => String(Number(value.toPrecision(5))).replaceAll("-", "−");

/** @param {PrecisionLab["packed"]} packed @param {PrecisionActions} actions */
export function packedView({ weights, bits, group, scale, result, fault }, actions) {
  return html`<p class="muted">
      Codes packed side by side and a scale for each group: the bytes on paper, before alignment, metadata and any other tensor.
      Q4 of this lab stores its matrices so, with a scale for each 64 weights of a row.
    </p>
    <div class="precision-input">
      ${textField("packed-weights", "Weights", weights, fault, "precision-packed-fault", (text) => actions.changePacked({ weights: text }))}
      ${textField("packed-bits", "Bits of a code", bits, fault, "precision-packed-fault", (text) => actions.changePacked({ bits: text }))}
      ${textField("packed-group", "Weights in a group", group, fault, "precision-packed-fault", (text) => actions.changePacked({ group: text }))}
      ${textField("packed-scale", "Bytes of a scale", scale, fault, "precision-packed-fault", (text) => actions.changePacked({ scale: text }))}
    </div>
    ${fault === null ? nothing : html`<p class="fault" id="precision-packed-fault">${fault}</p>`}
    ${
      result === null || fault !== null
        ? nothing
        : html`<table class="lab-table precision-facts numbers" id="packed-result">
            ${tableHead(["Part", "Bytes", "MiB (2^20 bytes)"])}
            <tbody>
              <tr>
                <th scope="row">Codes</th>
                <td>${count(result.codeBytes)}</td>
                <td>${String(result.codeMib)}</td>
              </tr>
              <tr>
                <th scope="row">Scales of ${plural(result.groups, "group")}</th>
                <td>${count(result.scaleBytes)}</td>
                <td>${String(result.scaleMib)}</td>
              </tr>
              <tr>
                <th scope="row"><b>Together</b></th>
                <td><b>${count(result.totalBytes)}</b></td>
                <td><b>${String(result.totalMib)}</b></td>
              </tr>
            </tbody>
          </table>`
    }`;
}
