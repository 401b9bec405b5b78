/** A browser under WebDriver, with the drivers given by path: CHROMIUM and CHROMEDRIVER. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { Builder } from "selenium-webdriver";
import chrome from "selenium-webdriver/chrome.js";

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

/** @typedef {Awaited<ReturnType<typeof openBrowser>>} Browser */

/** @param {string[]} names */
function firstExisting(...names) {
  return names.find((name) => existsSync(name)) ?? names[0];
}

/** Starts a browser with a profile of its own. */
export async function openBrowser() {
  const profile = await mkdtemp(path.join(os.tmpdir(), "logit-lab-"));
  const binary = process.env.CHROMIUM ?? firstExisting("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome");
  const driverPath = process.env.CHROMEDRIVER ?? "/usr/bin/chromedriver";
  const options = new chrome.Options();
  options.setChromeBinaryPath(binary);
  options.addArguments(...FLAGS, `--user-data-dir=${profile}`);
  const driver = await new Builder()
    .forBrowser("chrome")
    .setChromeOptions(options)
    .setChromeService(new chrome.ServiceBuilder(driverPath))
    .build();
  await driver.manage().setTimeouts({ script: 120_000, pageLoad: 60_000 });

  return {
    driver,

    /** @param {string} url */
    open: (url) => driver.get(url),

    /**
     * Runs an asynchronous function in the page and returns what it returns. Typed arrays come back as arrays.
     *
     * @param {string} body the function's body; its arguments are `args`
     * @param {...unknown} args
     * @returns {Promise<any>}
     */
    async run(body, ...args) {
      const answer = await driver.executeAsyncScript(
        `const done = arguments[arguments.length - 1];
         const plain = (value) => ArrayBuffer.isView(value) ? Array.from(value)
           : Array.isArray(value) ? value.map(plain)
           : value && typeof value === "object" ? Object.fromEntries(Object.entries(value).map(([k, v]) => [k, plain(v)]))
           : value;
         const work = async (args) => { ${body} };
         work(arguments[0]).then(
           (value) => done({ value: plain(value) }),
           (error) => done({ error: { name: error.name, code: error.code, message: error.message, details: error.details } }),
         );`,
        args,
      );
      if (answer.error) throw Object.assign(new Error(answer.error.message), answer.error);
      return answer.value;
    },

    /**
     * @template T
     * @param {string} what for the message when it does not come
     * @param {() => Promise<T>} look
     * @param {number} [timeoutMs]
     * @returns {Promise<NonNullable<T>>} the first answer that counts as true
     */
    async waitFor(what, look, timeoutMs = 30_000) {
      const end = Date.now() + timeoutMs;
      for (;;) {
        const found = await look();
        if (found) return found;
        if (Date.now() > end) throw new Error(`waited ${timeoutMs} ms for ${what}`);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },

    /**
     * @param {string} file
     * @param {number} width
     * @param {number} height
     */
    async screenshot(file, width, height) {
      await driver.manage().window().setRect({ width, height });
      await writeFile(file, await driver.takeScreenshot(), "base64");
    },

    async close() {
      await driver.quit();
      await rm(profile, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}
