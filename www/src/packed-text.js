/** Long text in an address: deflate, then base64url. Both work without a secure context. */

/** @param {string} text @returns {Promise<string | null>} null where the browser cannot compress */
export async function pack(text) {
  let packed;
  try {
    packed = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  } catch {
    return null;
  }
  const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/**
 * @param {string} packed
 * @param {number} longestBytes A few bytes can unfold to very many: reading ends here.
 * @returns {Promise<string | null>} null if it is damaged or too long
 */
export async function unpack(packed, longestBytes) {
  try {
    const binary = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
    const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    let text = "";
    let length = 0;
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return text + decoder.decode();
      length += value.length;
      if (length > longestBytes) {
        await reader.cancel();
        return null;
      }
      text += decoder.decode(value, { stream: true });
    }
  } catch {
    return null;
  }
}
