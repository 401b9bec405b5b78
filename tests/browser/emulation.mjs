/** What Chromium's developer tools can have a page believe about its reader; other engines' drivers cannot. */
import { lacks } from "./engines/engine.mjs";

/** Why tests of it are skipped, or false. */
export const noEmulation = lacks("devTools");

/**
 * @param {() => { browser: import("./driver.mjs").Browser }} lab which is opened after this is called
 */
export function emulationOf(lab) {
  /** @param {string} command @param {object} [parameters] */
  const tell = (command, parameters) => lab().browser.devTools(command, parameters);
  return {
    /** Of the reader's settings; what is not named is as usual.
     * @param {{ scheme?: "light" | "dark", forcedColours?: boolean, reducedMotion?: boolean, moreContrast?: boolean }} settings
     */
    media: ({ scheme, forcedColours, reducedMotion, moreContrast }) =>
      tell("Emulation.setEmulatedMedia", {
        features: [
          { name: "prefers-color-scheme", value: scheme ?? "" },
          { name: "forced-colors", value: forcedColours ? "active" : "" },
          { name: "prefers-reduced-motion", value: reducedMotion ? "reduce" : "" },
          { name: "prefers-contrast", value: moreContrast ? "more" : "" },
        ],
      }),

    /** A window of this size in CSS pixels, as a page has it that is zoomed: no phone. @param {number} width @param {number} height */
    window: (width, height) =>
      tell("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: false }),

    /** Back to the browser's own window and the reader without settings. */
    async reset() {
      await tell("Emulation.clearDeviceMetricsOverride");
      await tell("Emulation.setEmulatedMedia", { features: [] });
    },
  };
}
