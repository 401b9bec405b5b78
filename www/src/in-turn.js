/**
 * Code that is loaded when it is wanted, one part after the other. In WebKit, and so in every Safari yet, two parts that come
 * at once and share a module with a top-level `await`, as the words have, break each other (https://webkit.org/b/242740).
 */

/** The newest that is on its way. @type {Promise<unknown> | null} */
let last = null;

/**
 * @template T
 * @param {() => Promise<T>} load
 * @returns {Promise<T>}
 */
export function inTurn(load) {
  const mine = last === null ? load() : last.then(load);
  // A part that did not come is its caller's affair.
  const ended = mine.then(
    () => {},
    () => {},
  );
  last = ended;
  void ended.then(() => {
    if (last === ended) last = null;
  });
  return mine;
}
