/** How finely this browser tells time: what limits every timing on the page. */

const enoughSteps = 50;
/** Less than a frame, also where the clock moves once a millisecond. */
const limitMs = 12;
/** However long they take: on a busy machine the first of them may be a pause of the whole page. */
const fewestSteps = 4;

/**
 * The smallest step that the clock was seen to make, in milliseconds.
 *
 * @param {() => number} [nowMs]
 */
export function measureClockStep(nowMs = () => performance.now()) {
  const startMs = nowMs();
  let smallest = Infinity;
  let last = startMs;
  for (let steps = 0; steps < enoughSteps && (last - startMs < limitMs || steps < fewestSteps); ) {
    const now = nowMs();
    if (now === last) continue;
    smallest = Math.min(smallest, now - last);
    last = now;
    steps += 1;
  }
  return smallest;
}
