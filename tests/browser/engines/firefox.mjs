/**
 * Firefox under geckodriver. What Chromium does by its developer tools is done in the browser's own, privileged scripts.
 * Paths: FIREFOX and GECKODRIVER.
 */
import os from "node:os";
import path from "node:path";
import { Builder } from "selenium-webdriver";
import firefox from "selenium-webdriver/firefox.js";
import { firstExisting, proxyConfig } from "./shared.mjs";

/** @import { Engine } from "./engine.mjs" */

/** @type {Engine["lacks"]} */
export const lacks = {
  devTools: "Firefox has no developer tools that a driver can use",
  suspend: "Firefox's driver cannot suspend a tab",
  storeLimit: "Firefox's driver cannot limit the store of one page",
};

/** In the browser itself, with `context` the tab's. */
const IN_BROWSER = `
  const browser = gBrowser.selectedBrowser;
  const context = browser.browsingContext;
`;
const SCREEN = `${IN_BROWSER}
  const [size] = arguments;
  for (const [name, value] of [["width", size?.width], ["height", size?.height]]) {
    const length = value === undefined ? "" : value + "px";
    for (const bound of [name, "min-" + name, "max-" + name]) browser.style.setProperty(bound, length);
  }
`;
const MEDIA = `${IN_BROWSER}
  context.top.prefersColorSchemeOverride = arguments[0] || "none";
  context.top.mediumOverride = arguments[1];
`;
// 1 is coarse, 6 is fine and hovers: what nsILookAndFeel answers.
const TOUCH = `
  for (const name of ["ui.primaryPointerCapabilities", "ui.allPointerCapabilities"]) {
    if (arguments[0]) Services.prefs.setIntPref(name, 1);
    else Services.prefs.clearUserPref(name);
  }
`;
const RELOAD = `${IN_BROWSER}
  context.reload(Ci.nsIWebNavigation.LOAD_FLAGS_BYPASS_CACHE | Ci.nsIWebNavigation.LOAD_FLAGS_BYPASS_PROXY);
`;

/** @type {Engine["start"]} */
export async function start({ downloads, proxy }) {
  const options = new firefox.Options();
  options.setBinary(process.env.FIREFOX ?? firstExisting("/usr/bin/firefox-esr", "/usr/bin/firefox"));
  options.addArguments("-headless");
  // Else a JSON file is a page of the browser itself, without the storage of its host.
  options.setPreference("devtools.jsonview.enabled", false);
  if (downloads) {
    options.setPreference("browser.download.folderList", 2);
    options.setPreference("browser.download.dir", downloads);
  }
  if (proxy) options.setProxy(proxyConfig(proxy));
  const cache = process.env.LOGIT_LAB_CACHE ?? path.join(os.homedir(), ".cache/logit-lab");
  const geckodriver = process.env.GECKODRIVER ?? firstExisting(path.join(cache, "bin/geckodriver"), "/usr/bin/geckodriver");
  const driver = /** @type {firefox.Driver} */ (
    await new Builder()
      .forBrowser("firefox")
      .setFirefoxOptions(options)
      .setFirefoxService(new firefox.ServiceBuilder(geckodriver).addArguments("--allow-system-access"))
      .build()
  );
  await driver.manage().window().setRect({ width: 1280, height: 900 });

  /** @param {string} script @param {unknown[]} args */
  async function inBrowser(script, ...args) {
    await driver.setContext(firefox.Context.CHROME);
    try {
      await driver.executeScript(script, ...args);
    } finally {
      await driver.setContext(firefox.Context.CONTENT);
    }
  }

  return {
    driver,
    emulateScreen: (size) => inBrowser(SCREEN, size),
    emulateMedia: ({ scheme = "", medium = "" }) => inBrowser(MEDIA, scheme, medium),
    emulateTouch: (enabled) => inBrowser(TOUCH, enabled),
    reloadPastCaches: () => inBrowser(RELOAD),
    close: async () => {},
  };
}
