/** Which browser engine the tests run in: LOGIT_LAB_BROWSER is chromium (if absent), firefox or webkit. */

/** @typedef {import("selenium-webdriver").WebDriver} WebDriver */
/** @typedef {{ width: number, height: number, mobile?: boolean }} Size in CSS pixels; not mobile is a window with scroll bars */

/**
 * What is asked of a browser when it is started.
 *
 * @typedef {object} StartOptions
 * @property {string[]} [flags] further ones, of Chromium only
 * @property {string} [downloads] the folder that downloads go to
 * @property {string} [proxy] host and port that everything goes through but what is meant for this machine
 */

/**
 * What an engine may lack, each with the reason why tests of it are skipped there.
 *
 * @typedef {"devTools" | "suspend" | "httpsProxy" | "storageEstimate" | "storeLimit" | "touch" | "reloadPastCaches" | "relaxedSimd"
 *   | "keptStore" | "bodyInPieces" | "policyReports" | "largeFiles"} Feature
 */

/**
 * A browser that runs. What is absent is among what the engine lacks.
 *
 * @typedef {object} Running
 * @property {WebDriver} driver
 * @property {(command: string, parameters?: object) => Promise<any>} [devTools]
 * @property {(size: Size | null) => Promise<unknown>} emulateScreen
 * @property {(media: { scheme?: "light" | "dark" | "", medium?: "print" | "" }) => Promise<unknown>} emulateMedia
 * @property {(enabled: boolean) => Promise<unknown>} [emulateTouch] no mouse, for rules that ask for the pointer
 * @property {() => Promise<unknown>} [reloadPastCaches] the service worker's too
 * @property {(origin: string, bytes: number | null) => Promise<unknown>} [limitStore] null lifts the limit
 * @property {() => Promise<unknown>} close what is left when the driver has quit
 */

/**
 * @typedef {object} Engine
 * @property {{ [feature in Feature]?: string }} lacks
 * @property {(options: StartOptions) => Promise<Running>} start
 */

/** @type {"chromium" | "firefox" | "webkit"} */
export const engineName = /** @type {any} */ (process.env.LOGIT_LAB_BROWSER ?? "chromium");
if (!["chromium", "firefox", "webkit"].includes(engineName))
  throw new Error(`LOGIT_LAB_BROWSER is "${engineName}"; it can be chromium, firefox or webkit`);

/** @type {Engine} */
export const engine = await import(`./${engineName}.mjs`);

/**
 * Why a test of this feature is skipped in this engine, or false. A line that scripts/test.sh counts tells of it.
 *
 * @param {Feature} feature
 */
export function lacks(feature) {
  const reason = engine.lacks[feature];
  if (reason !== undefined) process.stdout.write(`skipped: ${reason}\n`);
  return reason ?? false;
}
