/** Quantised lists: one scale for all numbers against a scale for each block, and the bytes of packed weights. */

import { html, live, nothing } from "../../vendor/lit-html.js";
import { allDigits, count, figure } from "../format.js";
import { words } from "../words/number-formats.js";
import { choiceField } from "./fields.js";
import { textField } from "./number-formats.js";
import { tableHead } from "./table.js";

/** @import { PrecisionActions } from "../precision/actions.js" */
/** @import { PrecisionLab } from "../lab-types.js" */
/** @import { BlockScaling, Quantised } from "../protocol.js" */

const { blocks: texts } = words;

/** @param {PrecisionLab["blocks"]} blocks @param {PrecisionActions} actions */
export function blocksView({ typed, size, format, result, fault }, actions) {
  return html`<p class="muted">${texts.intro}</p>
    <label for="precision-list">${texts.list}</label>
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
      ${textField("precision-block-size", texts.size, size, fault, "precision-blocks-fault", (text) => actions.changeBlocks({ size: text }))}
      <label class="lab-field"
        >${texts.code}
        ${choiceField({
          id: "precision-code-format",
          options: texts.formats.map(({ id, label }) => ({ value: id, label })),
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
      ${tableHead([format, texts.oneForAll, texts.forEach(blocks.blockSize)])}
      <tbody>
        ${summaryRow(texts.scales, (list) => texts.scaleCount(list.scales.length), whole, blocks)}
        ${summaryRow(texts.bytes, ({ bytes }) => texts.byteSum(bytes.codeBytes, bytes.scaleBytes), whole, blocks)}
        ${summaryRow(texts.largestError, ({ largestError }) => figure(largestError), whole, blocks)}
        ${summaryRow(texts.rmsError, ({ rmsError }) => figure(rmsError), whole, blocks)}
        ${summaryRow(texts.lost, ({ lost }) => count(lost), whole, blocks)}
      </tbody>
    </table>
    <div class="scroll-y precision-list" tabindex="0" role="group" aria-label=${texts.every}>
      <table class="lab-table precision-facts numbers" id="precision-block-table">
        ${tableHead(texts.columns)}
        <tbody>
          ${[...values].map((value, n) => {
            const block = Math.floor(n / blocks.blockSize);
            return html`<tr>
              <th scope="row">${plain(value)}</th>
              <td>${plain(whole.values[n])} <small class="muted">${texts.error(figure(whole.errors[n]))}</small></td>
              <td>
                ${plain(blocks.values[n])}
                <small class="muted">${texts.errorInBlock(figure(blocks.errors[n]), block, figure(blocks.scales[block]))}</small>
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
const plain = (value) => allDigits(value, 5);

/** @param {PrecisionLab["packed"]} packed @param {PrecisionActions} actions */
export function packedView({ weights, bits, group, scale, result, fault }, actions) {
  const { packed: names } = words;
  return html`<p class="muted">${names.intro}</p>
    <div class="precision-input">
      ${textField("packed-weights", names.weights, weights, fault, "precision-packed-fault", (text) => actions.changePacked({ weights: text }))}
      ${textField("packed-bits", names.bits, bits, fault, "precision-packed-fault", (text) => actions.changePacked({ bits: text }))}
      ${textField("packed-group", names.group, group, fault, "precision-packed-fault", (text) => actions.changePacked({ group: text }))}
      ${textField("packed-scale", names.scale, scale, fault, "precision-packed-fault", (text) => actions.changePacked({ scale: text }))}
    </div>
    ${fault === null ? nothing : html`<p class="fault" id="precision-packed-fault">${fault}</p>`}
    ${
      result === null || fault !== null
        ? nothing
        : html`<table class="lab-table precision-facts numbers" id="packed-result">
            ${tableHead(names.columns)}
            <tbody>
              <tr>
                <th scope="row">${names.codes}</th>
                <td>${count(result.codeBytes)}</td>
                <td>${allDigits(result.codeMib)}</td>
              </tr>
              <tr>
                <th scope="row">${names.scales(result.groups)}</th>
                <td>${count(result.scaleBytes)}</td>
                <td>${allDigits(result.scaleMib)}</td>
              </tr>
              <tr>
                <th scope="row"><b>${names.together}</b></th>
                <td><b>${count(result.totalBytes)}</b></td>
                <td><b>${allDigits(result.totalMib)}</b></td>
              </tr>
            </tbody>
          </table>`
    }`;
}
