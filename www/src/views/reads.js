/**
 * Which views are to be drawn again. What a view reads of the state is found out while it is drawn, so that it is drawn
 * again when some of that has changed, and only then. This needs every part of the state to be replaced when it changes,
 * never written to.
 */

/** @template {object} S */
export class Reads {
  /** @type {Map<keyof S, unknown> | null} */
  #seen = null;

  /** Whether nothing has changed of what was read last time. @param {S} state */
  hold(state) {
    if (this.#seen === null) return false;
    for (const [name, value] of this.#seen) if (state[name] !== value) return false;
    return true;
  }

  /** The same state, which notes what is read of it from now on. @param {S} state @returns {S} */
  watch(state) {
    const seen = new Map();
    this.#seen = seen;
    return new Proxy(state, {
      get(target, name) {
        const value = Reflect.get(target, name);
        seen.set(name, value);
        return value;
      },
    });
  }
}
