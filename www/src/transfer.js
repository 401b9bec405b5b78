/**
 * The buffers of all typed arrays in a message, to be transferred rather than copied. The engine's own memory is never
 * among them: transferring it would take it away from the engine.
 *
 * @param {unknown} message
 * @param {ArrayBufferLike | null} engineMemory
 * @returns {ArrayBuffer[]}
 */
export function transferables(message, engineMemory) {
  /** @type {Set<ArrayBuffer>} */
  const buffers = new Set();
  /** @param {unknown} value */
  function visit(value) {
    if (typeof value !== "object" || value === null) return;
    if (ArrayBuffer.isView(value)) {
      if (value.buffer instanceof ArrayBuffer && value.buffer !== engineMemory) buffers.add(value.buffer);
      return;
    }
    for (const part of Array.isArray(value) ? value : Object.values(value)) visit(part);
  }
  visit(message);
  return [...buffers];
}
