/**
 * Where the focus goes when a redraw takes away or switches off what has it. A browser would give it to the whole page, and
 * whoever works by keyboard would begin again at the top.
 */

const stops = ["a[href]", "button", "input", "select", "textarea", "summary", "[tabindex]"].join();
/** On a phone the focus on these brings up the keys, which nobody asked for. */
const typing = ["textarea", "input:not([type=checkbox],[type=radio],[type=range],[type=file])"].join();

/**
 * Draws. If the focus is lost by that, the next control in the same group of the page gets it, else the one before, else one
 * of the group around.
 * @param {() => void} draw
 */
export function keepFocus(draw) {
  const held = /** @type {HTMLElement | null} */ (document.activeElement);
  if (held === null || held === document.body) return draw();
  const around = groupsAround(held);
  draw();
  const now = document.activeElement;
  if ((now !== held && now !== document.body) || isThere(held, now)) return;
  // A row that moves leaves the page for a moment.
  if (isOpen(held)) return held.focus({ preventScroll: true });
  for (const group of around) {
    if (!group.isConnected || group.closest("[hidden], [inert]")) continue;
    const next = nearest(group, held) ?? (group.tabIndex === 0 && isOpen(group) ? group : null);
    if (next) return next.focus();
  }
}

/**
 * The links at the top of the page that skip a part of it. As a part of the address, which holds the prompt and the settings,
 * their target would be read as such.
 */
export function followSkipLinks() {
  for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll("a.skip"))) {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      const target = document.getElementById(link.hash.slice(1));
      const stop = target?.matches(stops) ? target : target?.querySelector(stops);
      /** @type {HTMLElement | null | undefined} */ (stop)?.focus();
    });
  }
}

/** @param {HTMLElement} held @param {Element | null} now */
const isThere = (held, now) => held === now && !held.matches(":disabled") && !held.closest("[hidden], [inert]");

/** @param {HTMLElement} element */
const isOpen = (element) => element.isConnected && !element.matches(":disabled") && element.checkVisibility();

/** @param {HTMLElement} element */
function groupsAround(element) {
  const groups = [];
  for (let group = element.parentElement; group && group !== document.body; group = group.parentElement) groups.push(group);
  return groups;
}

/** @param {Element} group @param {HTMLElement} held */
function nearest(group, held) {
  const open = Array.from(/** @type {NodeListOf<HTMLElement>} */ (group.querySelectorAll(stops))).filter(
    (element) => element !== held && isOpen(element) && (element.tabIndex >= 0 || element.matches("h2, h3, h4")) && !element.matches(typing),
  );
  if (!held.isConnected) return open[0];
  const after = open.find((element) => held.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING);
  return after ?? open.at(-1);
}
