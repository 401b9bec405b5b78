import assert from "node:assert/strict";
import { test } from "node:test";
import { transferables } from "../../www/src/transfer.js";

test("each_buffer_is_transferred_once_and_the_engine's_memory_never", () => {
  const memory = new WebAssembly.Memory({ initial: 1 });
  const shared = new ArrayBuffer(8);
  const message = {
    tokens: { ids: new Uint32Array(shared), text: ["a"], more: [{ ranks: new Uint8Array(shared) }] },
    logits: new Float32Array(2),
    view: new Float32Array(memory.buffer, 0, 4),
    nothing: null,
  };
  assert.deepEqual(transferables(message, memory.buffer), [shared, message.logits.buffer]);
});
