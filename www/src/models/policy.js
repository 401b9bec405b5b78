/**
 * Hosts that the page's Content-Security-Policy keeps it from: a fetch then fails as if nobody had answered, and only an
 * event says why. The policy reaches a model's worker from the second visit on, when the service worker adds it.
 */

/** @type {Set<string>} */
const blockedOrigins = new Set();

// Not there in node, where the loader's tests run.
globalThis.addEventListener?.("securitypolicyviolation", (event) => {
  const { blockedURI } = /** @type {SecurityPolicyViolationEvent} */ (event);
  if (URL.canParse(blockedURI)) blockedOrigins.add(new URL(blockedURI).origin);
});

/** Whether a fetch that has just failed was not allowed. @param {string} url */
export async function isBlocked(url) {
  // The event comes in a turn of its own, after the failure.
  await new Promise((resolve) => setTimeout(resolve));
  return blockedOrigins.has(new URL(url).origin);
}
