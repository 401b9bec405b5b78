/** What the KV cache would take at other lengths and for several requests; the weights stay what they are. */

import { html, nothing } from "../../vendor/lit-html.js";
import { count } from "../format.js";
import { bothUnits, kvBytesFor, projection } from "../memory-lab/numbers.js";
import { chartView } from "./chart.js";
import { numberField } from "./memory-field.js";

/** @import { State } from "../page-types.js" */
/** @import { MemoryUse } from "../protocol.js" */
/** @import { MemoryActions } from "../memory-lab/actions.js" */
/** @import { MemoryLab } from "../memory-lab/types.js" */

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
  return html`<h3 id="memory-projection-title">Longer texts, more requests</h3>
    <p id="memory-formula">
      KV cache of one position: 2 (a key and a value) × ${count(card?.numHiddenLayers ?? 0)} layers ×
      ${count(card?.hiddenSize ?? 0)} numbers × ${use.kvNumberBytes} bytes =
      <b class="numbers">${bothUnits(use.kvBytesPerPosition)}</b>. It grows with every position of every request; the
      weights are shared by all and stay ${bothUnits(use.weightBytes)}.
    </p>
    <div class="lab-fields">
      <span>Positions in each request</span>
      <span>${numberField(lab, "context", "Positions in each request", context, (text) => actions.typeWhole("context", text), actions.leave)}</span>
      <span>Requests at a time (batch)</span>
      <span>${numberField(lab, "batch", "Requests at a time", batch, (text) => actions.typeWhole("batch", text), actions.leave)}</span>
    </div>
    <p id="memory-projected">
      ${count(batch)} × ${count(context)} positions: <b class="numbers">${bothUnits(kv)}</b> of KV cache, beside
      ${bothUnits(use.weightBytes)} of weights.${context > most ? ` This model has ${count(most)} positions; longer ones are a reckoning only.` : ""}
      ${kv > use.weightBytes ? "The cache is the larger part." : nothing}
    </p>
    ${chart({ context, batch }, use)}
    <p class="muted">
      These are the bytes that the entries need. An allocator that takes room in blocks, as this engine does in pages of 64
      positions, reserves somewhat more; activations and workspace are not in this sum.
    </p>`;
}

/** @param {{ context: number, batch: number }} lab @param {MemoryUse} use */
function chart(lab, use) {
  const points = projection(use, lab);
  const key = [lab.context, lab.batch, use.kvBytesPerPosition, use.weightBytes].join();
  if (drawn.key !== key) {
    const data = points.flatMap(({ positions, kvBytes }) => [
      { positions, bytes: kvBytes / 1e6, part: "KV cache" },
      { positions, bytes: use.weightBytes / 1e6, part: "weights" },
    ]);
    drawn = { key, data };
  }
  const { data } = drawn;
  const last = points[points.length - 1];
  return chartView(
    {
      id: "memory-chart",
      title: "Weights and KV cache (MB) against positions in each request",
      summary: `At ${count(last.positions)} positions and a batch of ${count(lab.batch)}: ${bothUnits(last.kvBytes)} of KV cache.`,
      draw: (plot) => ({
        x: { label: "positions in each request" },
        y: { label: "MB", zero: true, grid: true },
        marginRight: 70,
        marks: [
          plot.ruleY([0]),
          plot.lineY(data, { x: "positions", y: "bytes", z: "part", stroke: "currentColor", strokeWidth: 1.5 }),
          plot.dot(data, { x: "positions", y: "bytes", symbol: "part", stroke: "currentColor" }),
          plot.text(data.slice(-2), { x: "positions", y: "bytes", text: "part", textAnchor: "start", dx: 8 }),
        ],
      }),
      columns: ["Positions", "KV cache", "Weights"],
      rows: points.map(({ positions, kvBytes }) => [count(positions), bothUnits(kvBytes), bothUnits(use.weightBytes)]),
    },
    data,
  );
}
