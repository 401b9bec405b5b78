/** Chromium under chromedriver, with its developer tools. Paths: CHROMIUM and CHROMEDRIVER. */
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { Builder } from "selenium-webdriver";
import chrome from "selenium-webdriver/chrome.js";
import { firstExisting, proxyConfig } from "./shared.mjs";

/** @import { Engine } from "./engine.mjs" */

const FLAGS = [
  "--headless=new",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** @type {Engine["lacks"]} */
export const lacks = {};

/** @type {Engine["start"]} */
export async function start({ flags = [], downloads, proxy }) {
  const profile = await mkdtemp(path.join(os.tmpdir(), "logit-lab-"));
  const binary =
    process.env.CHROMIUM ?? firstExisting("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome");
  const options = new chrome.Options();
  options.setChromeBinaryPath(binary);
  options.addArguments(...FLAGS, ...flags, `--user-data-dir=${profile}`);
  if (proxy) options.setProxy(proxyConfig(proxy));
  const driver = /** @type {chrome.Driver} */ (
    await new Builder()
      .forBrowser("chrome")
      .setChromeOptions(options)
      .setChromeService(new chrome.ServiceBuilder(process.env.CHROMEDRIVER ?? "/usr/bin/chromedriver"))
      .build()
  );
  /** @param {string} command @param {object} [parameters] @returns {Promise<any>} */
  const devTools = (command, parameters = {}) => driver.sendAndGetDevToolsCommand(command, parameters);
  if (downloads) await devTools("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: downloads });

  return {
    driver,
    devTools,
    emulateScreen: (size) =>
      size
        ? devTools("Emulation.setDeviceMetricsOverride", { mobile: true, deviceScaleFactor: 1, ...size })
        : devTools("Emulation.clearDeviceMetricsOverride"),
    emulateMedia: ({ scheme = "", medium = "" }) =>
      devTools("Emulation.setEmulatedMedia", {
        media: medium,
        features: [{ name: "prefers-color-scheme", value: scheme }],
      }),
    emulateTouch: (enabled) => devTools("Emulation.setTouchEmulationEnabled", { enabled }),
    reloadPastCaches: () => devTools("Page.reload", { ignoreCache: true }),
    limitStore: (origin, bytes) => devTools("Storage.overrideQuotaForOrigin", { origin, quotaSize: bytes ?? undefined }),
    close: () => rm(profile, { recursive: true, force: true, maxRetries: 3 }),
  };
}
