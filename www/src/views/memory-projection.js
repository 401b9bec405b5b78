/** What the KV cache would take at other lengths and for several requests; the weights stay what they are. */

import { html, nothing } from "../../vendor/lit-html.js";
import { count } from "../format.js";
import { bothUnits, kvBytesFor, projection } from "../memory-lab/numbers.js";
import { words } from "../words/memory.js";
import { chartView } from "./chart.js";
import { numberField } from "./memory-field.js";

/** @import { State } from "../page-types.js" */
/** @import { MemoryUse } from "../protocol.js" */
/** @import { MemoryActions } from "../memory-lab/actions.js" */
/** @import { MemoryLab } from "../memory-lab/types.js" */

const { projection: texts } = words;

/** The data that was drawn last: a chart is drawn again when it is another value.
 * @type {{ key: string, data: { bytes: number, part: string, positions: number }[] }}
 */
let drawn = { key: "", data: [] };

/** @param {State} state @param {MemoryLab} lab @param {MemoryUse} use @param {MemoryActions} actions */
export function projectionView({ model }, lab, use, actions) {
  const card = model?.card;
  const most = card?.maxPositionEmbeddings ?? 1;
  const { batch } = lab;
  const context = lab.context ?? most;
  const kv = kvBytesFor(use, context, batch);
  const weights = bothUnits(use.weightBytes);
  return html`<h3 id="memory-projection-title">${texts.heading}</h3>
    <p id="memory-formula">
      ${texts.formula(
        card?.numHiddenLayers ?? 0,
        card?.hiddenSize ?? 0,
        use.kvNumberBytes,
        html`<b class="numbers">${bothUnits(use.kvBytesPerPosition)}</b>`,
        weights,
      )}
    </p>
    <div class="lab-fields">
      <span>${texts.context}</span>
      <span>${numberField(lab, "context", texts.context, context, (text) => actions.typeWhole("context", text), actions.leave)}</span>
      <span>${texts.batch}</span>
      <span>${numberField(lab, "batch", texts.batchField, batch, (text) => actions.typeWhole("batch", text), actions.leave)}</span>
    </div>
    <p id="memory-projected">
      ${texts.projected(batch, context, html`<b class="numbers">${bothUnits(kv)}</b>`, weights)}
      ${context > most ? texts.tooLong(most) : nothing} ${kv > use.weightBytes ? texts.cacheIsLarger : nothing}
    </p>
    ${chart({ context, batch }, use)}
    <p class="muted">${texts.note}</p>`;
}

/** @param {{ context: number, batch: number }} lab @param {MemoryUse} use */
function chart(lab, use) {
  const points = projection(use, lab);
  const key = [lab.context, lab.batch, use.kvBytesPerPosition, use.weightBytes].join();
  if (drawn.key !== key) {
    const data = points.flatMap(({ positions, kvBytes }) => [
      { positions, bytes: kvBytes / 1e6, part: texts.cache },
      { positions, bytes: use.weightBytes / 1e6, part: texts.weights },
    ]);
    drawn = { key, data };
  }
  const { data } = drawn;
  const last = points[points.length - 1];
  return chartView(
    {
      id: "memory-chart",
      title: texts.chart,
      summary: texts.summary(last.positions, lab.batch, bothUnits(last.kvBytes)),
      draw: (plot) => ({
        x: { label: texts.x },
        y: { label: texts.y, zero: true, grid: true },
        marginRight: 70,
        marks: [
          plot.ruleY([0]),
          plot.lineY(data, { x: "positions", y: "bytes", z: "part", stroke: "currentColor", strokeWidth: 1.5 }),
          plot.dot(data, { x: "positions", y: "bytes", symbol: "part", stroke: "currentColor" }),
          plot.text(data.slice(-2), { x: "positions", y: "bytes", text: "part", textAnchor: "start", dx: 8 }),
        ],
      }),
      columns: texts.columns,
      rows: points.map(({ positions, kvBytes }) => [count(positions), bothUnits(kvBytes), bothUnits(use.weightBytes)]),
    },
    data,
  );
}
