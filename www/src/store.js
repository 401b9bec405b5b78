/** Holds the state. Events change it at once; listeners hear of it once per animation frame. */

/**
 * @template S, E
 * @param {S} initial
 * @param {(state: S, event: E) => S} update
 * @param {(callback: () => void) => void} [nextFrame]
 */
export function createStore(initial, update, nextFrame = (callback) => requestAnimationFrame(callback)) {
  let state = initial;
  let scheduled = false;
  /** @type {Set<(state: S) => void>} */
  const frameListeners = new Set();
  /** @type {Set<(state: S, before: S) => void>} */
  const changeListeners = new Set();

  function notify() {
    scheduled = false;
    for (const listener of frameListeners) listener(state);
  }

  return {
    getState: () => state,
    /** @param {E} event */
    dispatch(event) {
      const before = state;
      state = update(state, event);
      if (state === before) return;
      for (const listener of changeListeners) listener(state, before);
      if (scheduled) return;
      scheduled = true;
      nextFrame(notify);
    },
    /** For views. @param {(state: S) => void} listener */
    eachFrame(listener) {
      frameListeners.add(listener);
    },
    /** For wiring that must not wait for a frame: a hidden tab has none.
     * @param {(state: S, before: S) => void} listener
     */
    eachChange(listener) {
      changeListeners.add(listener);
    },
  };
}
