/** A browser under WebDriver, of the engine that LOGIT_LAB_BROWSER names (chromium if absent; see engines/engine.mjs). */
import { writeFile } from "node:fs/promises";
import { error, Key } from "selenium-webdriver";
import { engine, engineName } from "./engines/engine.mjs";

/** @typedef {Awaited<ReturnType<typeof openBrowser>>} Browser */

/** How many times as long to wait for what should come, on a machine that is busy with other things. */
const PATIENCE = Number(process.env.LOGIT_LAB_PATIENCE ?? 1);
const LIMITS_MS = { script: 120_000 * PATIENCE, pageLoad: 60_000 * PATIENCE };
/** Drivers keep the limits above, but not in a page that never comes to rest; and a driver that has hung keeps none. */
const ANSWER_LIMIT_MS = LIMITS_MS.script + 30_000;

/** Elements that can have a role; the browser says which have it, and by what name. @type {Record<string, string>} */
const CANDIDATES = {
  button: "button",
  checkbox: "input[type=checkbox]",
  listbox: "[role=listbox]",
  option: "[role=option]",
  progressbar: "progress",
  radio: "input[type=radio]",
  region: "section",
  slider: "input[type=range]",
  switch: "input[role=switch]",
  table: "table",
  textbox: "textarea, input[type=text]",
};

/** In the page: until the element is where it was a frame ago. A driver aims, and clicks where the element has been. */
const STAND_STILL = `
  const place = () => JSON.stringify(args[0].getBoundingClientRect());
  const frame = () => new Promise((resolve) => (requestAnimationFrame(resolve), setTimeout(resolve, 200)));
  for (let before = "", times = 0; before !== place() && times < 60; times += 1) {
    before = place();
    await frame();
  }
`;

/**
 * Starts a browser with a profile of its own.
 *
 * @param {import("./engines/engine.mjs").StartOptions} [options]
 */
export async function openBrowser(options = {}) {
  const running = await engine.start(options);
  const { driver } = running;
  limitAnswers(driver);
  await driver.manage().setTimeouts(LIMITS_MS);
  /** @template T @param {T | undefined} means @param {string} what @returns {T} */
  const has = (means, what) => {
    if (means === undefined) throw new Error(`${engineName} cannot ${what}: ask lacks() before`);
    return means;
  };

  return {
    engineName,
    driver,

    /** @param {string} url */
    async open(url) {
      /** @returns {Promise<{ address: string, began: number }>} */
      const shown = () => driver.executeScript("return { address: location.href, began: performance.timeOrigin };");
      const withoutHash = (/** @type {string} */ address) => address.replace(/#.*/, "");
      // WebKit's driver may answer while the page before is still there, which then goes away under the next question.
      const before = engineName === "webkit" ? await shown() : null;
      await driver.get(url);
      if (before === null || withoutHash(before.address) === withoutHash(url)) return;
      await this.waitFor("the page", async () => (await shown().catch(() => before)).began !== before.began);
    },

    /** A page beside this one, to which the driver goes. WebKit's driver leaves a new tab behind the old one, where nothing is drawn. */
    newTab: () => driver.switchTo().newWindow(engineName === "webkit" ? "window" : "tab"),

    /**
     * Until the page is there anew that reloads itself. Asked while it goes away it answers with an error, or a page of the
     * browser's own does in its place.
     *
     * @param {() => Promise<unknown>} act after which the page reloads itself
     */
    async reloads(act) {
      await this.run("globalThis.beforeReload = true;");
      await act();
      const reloaded = `return window.beforeReload === undefined && document.readyState === "complete"
        && !document.documentURI.startsWith("about:");`;
      await this.waitFor("the reload", () => driver.executeScript(reloaded).catch(() => false));
    },

    /** As the page itself reloads: Firefox's driver goes past the service worker. */
    reload() {
      return this.reloads(() => this.run("setTimeout(() => location.reload());"));
    },

    /**
     * Runs an asynchronous function in the page and returns what it returns. Typed arrays come back as arrays. The page
     * draws once a frame: the function begins after the frame in which what was done before is to be seen.
     *
     * @param {string} body the function's body; its arguments are `args`
     * @param {...unknown} args
     * @returns {Promise<any>}
     */
    async run(body, ...args) {
      // In Firefox a script's own global object goes with it; what is to last is put on the window.
      const answer = await driver.executeAsyncScript(
        `const done = arguments[arguments.length - 1];
         const globalThis = window;
         const plain = (value) => ArrayBuffer.isView(value) ? Array.from(value)
           : Array.isArray(value) ? value.map(plain)
           : value && typeof value === "object"
             ? Object.fromEntries(Object.entries(value).map(([name, part]) => [name, plain(part)]))
           : value;
         const given = [...arguments].slice(0, -1);
         const work = async (args) => { ${body} };
         const drawn = () => new Promise((resolve) => {
           if (document.hidden) return resolve();
           requestAnimationFrame(() => resolve());
           setTimeout(resolve, 1000);
         });
         drawn().then(() => work(given)).then(
           (value) => done({ value: plain(value) }),
           ({ name, code, message, details }) => done({ error: { name, code, message, details } }),
         );`,
        // Each by itself: WebKit's driver finds no element within an array.
        ...args,
      );
      if (answer.error) throw Object.assign(new Error(answer.error.message), answer.error);
      return answer.value;
    },

    /**
     * A command of the browser's own developer tools: in Chromium alone.
     *
     * @param {string} command
     * @param {object} [parameters]
     * @returns {Promise<any>}
     */
    devTools: (command, parameters) => has(running.devTools, `do ${command}`)(command, parameters),

    /**
     * What a screen reader would find: by role and accessible name. Null if it is not there.
     *
     * @param {keyof typeof CANDIDATES} role
     * @param {string | RegExp} name
     * @returns {Promise<import("selenium-webdriver").WebElement | null>}
     */
    async find(role, name) {
      const candidates = await driver.findElements({ css: CANDIDATES[role] }).catch((reason) => {
        if (reason instanceof error.StaleElementReferenceError) return null;
        throw reason;
      });
      // In WebKit: redrawn between its finding them and its naming them.
      if (candidates === null) return this.find(role, name);
      for (const element of candidates) {
        try {
          const found = (await element.getAccessibleName()).trim();
          const fits = typeof name === "string" ? found === name : name.test(found);
          if (fits && (await element.getAriaRole()) === role) return element;
        } catch (reason) {
          // Redrawn while we looked; or, in WebKit, which then says nothing, not to be seen.
          const hidden = reason instanceof error.WebDriverError && reason.message === "";
          if (!hidden && !(reason instanceof error.StaleElementReferenceError)) throw reason;
        }
      }
      return null;
    },

    /**
     * @param {keyof typeof CANDIDATES} role
     * @param {string | RegExp} name
     */
    get(role, name) {
      return this.waitFor(`the ${role} "${name}"`, () => this.find(role, name));
    },

    /**
     * @param {keyof typeof CANDIDATES} role
     * @param {string | RegExp} name
     */
    async click(role, name) {
      const element = await this.get(role, name);
      await this.run(STAND_STILL, element);
      await element.click();
    },

    /**
     * Replaces what stands in a text field, as somebody types.
     *
     * @param {string} name
     * @param {string} text
     */
    async type(name, text) {
      const field = await this.get("textbox", name);
      // Apart, since Firefox takes nothing after a chord.
      await field.sendKeys(Key.chord(Key.CONTROL, "a"));
      await field.sendKeys(Key.BACK_SPACE, text);
    },

    /**
     * What a finger does, in one go.
     *
     * @param {...({ x: number, y: number } | "down" | "up" | "wait")} steps places in CSS pixels of what is to be seen of the page
     */
    async touch(...steps) {
      // The library's types know the mouse alone.
      const { Pointer } = /** @type {any} */ (await import("selenium-webdriver/lib/input.js"));
      const finger = new Pointer("finger", Pointer.Type.TOUCH);
      const actions = steps.map((step) => {
        // Long enough for the page to be drawn, on a busy machine too.
        if (step === "wait") return { type: "pause", duration: 1000 };
        if (typeof step === "string") return step === "down" ? finger.press() : finger.release();
        return finger.move({ x: Math.round(step.x), y: Math.round(step.y), duration: 20 });
      });
      await /** @type {any} */ (driver.actions({ async: true })).insert(finger, ...actions).perform();
    },

    /**
     * @template T
     * @param {string} what for the message when it does not come
     * @param {() => Promise<T>} look
     * @param {number} [timeoutMs]
     * @returns {Promise<NonNullable<T>>} the first answer that counts as true
     */
    async waitFor(what, look, timeoutMs = 30_000) {
      const end = Date.now() + timeoutMs * PATIENCE;
      for (;;) {
        const found = await look();
        if (found) return found;
        if (Date.now() > end) throw new Error(`waited ${timeoutMs * PATIENCE} ms for ${what}`);
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

    /** Shows the page as on a screen of this size; null goes back to the window's own. */
    emulateScreen: running.emulateScreen,

    /** Has the page believe in a colour scheme or in being printed; what is absent is as it was. */
    emulateMedia: running.emulateMedia,

    /** @param {boolean} enabled a finger is all that there is to point with */
    emulateTouch: (enabled) => has(running.emulateTouch, "emulate a touch screen")(enabled),

    /** Reloads the page from its server, past the caches and the service worker. */
    reloadPastCaches() {
      return this.reloads(has(running.reloadPastCaches, "reload past caches"));
    },

    /** @param {string} origin @param {number | null} bytes that it may keep in the browser; null lifts the limit */
    limitStore: (origin, bytes) => has(running.limitStore, "limit a store")(origin, bytes),

    async close() {
      try {
        await driver.quit();
      } finally {
        await running.close();
      }
    },
  };
}

/**
 * Every command goes through `execute`, which the library's types leave out: without an answer it fails, and the test with it.
 *
 * @param {any} driver
 */
function limitAnswers(driver) {
  const execute = driver.execute.bind(driver);
  driver.execute = async (/** @type {import("selenium-webdriver/lib/command.js").Command} */ command) => {
    /** @type {NodeJS.Timeout | undefined} */
    let timer;
    /** @type {Promise<never>} */
    const late = new Promise((_, reject) => {
      const name = command.getName();
      timer = setTimeout(() => reject(new Error(`no answer to "${name}" in ${ANSWER_LIMIT_MS} ms`)), ANSWER_LIMIT_MS);
    });
    try {
      return await Promise.race([execute(command), late]);
    } finally {
      clearTimeout(timer);
    }
  };
}
