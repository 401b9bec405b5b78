/** Dragging a row of a list by its handle, with mouse, pen or finger. */

/**
 * Moves the row as soon as the pointer has passed the middle of a neighbour.
 * @param {PointerEvent} event on the handle
 * @param {(place: number) => void} moveTo
 */
export function startDrag(event, moveTo) {
  const row = /** @type {HTMLElement} */ (event.currentTarget).closest("li");
  const list = row?.parentElement;
  if (!row || !list || event.button !== 0) return;
  event.preventDefault();
  const dragging = new AbortController();
  const { signal } = dragging;
  row.classList.add("dragged");
  // The list, for the row leaves the page for a moment when it moves, and would lose the pointer.
  list.setPointerCapture(event.pointerId);

  list.addEventListener(
    "pointermove",
    ({ clientY }) => {
      const above = [...list.children].filter((other) => other !== row && middle(other) < clientY);
      moveTo(above.length);
    },
    { signal },
  );
  for (const type of /** @type {const} */ (["pointerup", "pointercancel", "lostpointercapture"])) {
    const end = () => {
      row.classList.remove("dragged");
      dragging.abort();
    };
    list.addEventListener(type, end, { signal });
  }
}

/** @param {Element} element */
function middle(element) {
  const { top, bottom } = element.getBoundingClientRect();
  return (top + bottom) / 2;
}
