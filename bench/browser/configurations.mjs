/** Which engines are compared: every combination of kernel, precision and build that the engine does not refuse. */

/** @typedef {{ kernel: string, precision: string, simd: "baseline" | "relaxed" }} Configuration */

const kernels = ["candle", "fused"];
const precisions = ["f32", "f16", "int8", "q4"];
const builds = /** @type {const} */ (["baseline", "relaxed"]);

/** @param {Configuration} configuration */
export const nameOf = ({ kernel, precision, simd }) => `${kernel} ${precision} ${simd}`;

/** The candle kernel computes in f32 whatever the weights are rounded to, so one row of it says all. */
const usual = (/** @type {Configuration} */ { kernel, precision, simd }) =>
  kernel !== "candle" || (precision === "f32" && simd === "baseline");

/**
 * @param {string | undefined} only names of configurations, or parts of names, with commas between; absent is the usual
 * ones, "all" is all
 * @returns {Configuration[]}
 */
export function chosenConfigurations(only) {
  const all = kernels.flatMap((kernel) =>
    precisions.flatMap((precision) => builds.map((simd) => ({ kernel, precision, simd }))),
  );
  if (only === undefined) return all.filter(usual);
  const wanted = only.split(",").map((part) => part.trim());
  return all.filter((configuration) =>
    wanted.some((part) => part === "all" || nameOf(configuration).includes(part)),
  );
}
