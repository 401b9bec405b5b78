/** Exact fractions, for chances that can be checked by hand. */

/** In lowest terms, the denominator positive. @typedef {{ n: bigint, d: bigint }} Rational */

/** @param {bigint} n @param {bigint} d not 0 @returns {Rational} */
export function ratio(n, d) {
  const sign = d < 0n ? -1n : 1n;
  const divisor = sign * (gcd(n, d) || 1n);
  return { n: n / divisor, d: d / divisor };
}

/** @param {bigint} a @param {bigint} b @returns {bigint} */
function gcd(a, b) {
  let [x, y] = [a < 0n ? -a : a, b < 0n ? -b : b];
  while (y !== 0n) [x, y] = [y, x % y];
  return x;
}

/** Reads `3`, `0.75` or `3/4`; null for anything else. @param {string} text @returns {Rational | null} */
export function parseRational(text) {
  const parts = /^\s*(-?\d{0,15})(?:[.,](\d{1,15}))?\s*(?:\/\s*(\d{1,15})\s*)?$/.exec(text);
  if (!parts || !/\d/.test(text)) return null;
  const [, whole, decimals = "", divisor] = parts;
  if (divisor !== undefined && (decimals !== "" || !/\d/.test(whole) || BigInt(divisor) === 0n)) return null;
  return ratio(BigInt(`${whole}${decimals}`), divisor === undefined ? 10n ** BigInt(decimals.length) : BigInt(divisor));
}

/** @param {Rational[]} terms @returns {Rational} */
export const sum = (terms) => terms.reduce((a, b) => ratio(a.n * b.d + b.n * a.d, a.d * b.d), ratio(0n, 1n));

/** @param {Rational} a @param {Rational} b not 0 @returns {Rational} */
export const quotient = (a, b) => ratio(a.n * b.d, a.d * b.n);

/** @param {Rational} a @param {number} exponent whole, at least 0 @returns {Rational} */
export const power = (a, exponent) => ({ n: a.n ** BigInt(exponent), d: a.d ** BigInt(exponent) });

/** @param {Rational} a */
export const toNumber = ({ n, d }) => Number(n) / Number(d);

/** @param {Rational} a */
export const toText = ({ n, d }) => (d === 1n ? String(n) : `${n}/${d}`);
