/**
 * WebKitGTK: its MiniBrowser under WebKitWebDriver, on a screen of its own (Xvfb), since it has no headless mode.
 * Paths: WEBKIT_DRIVER and MINIBROWSER.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import os from "node:os";
import path from "node:path";
import { Builder, Capabilities } from "selenium-webdriver";
import { firstExisting, proxyConfig } from "./shared.mjs";

/** @import { Engine, Size } from "./engine.mjs" */

/** @type {Engine["lacks"]} */
export const lacks = {
  devTools: "WebKitGTK has no developer tools that a driver can use",
  suspend: "WebKitGTK's driver cannot suspend a tab",
  storeLimit: "WebKitGTK's driver cannot limit the store of one page",
  httpsProxy: "WebKitGTK's driver sends no https request to a proxy",
  storageEstimate: "WebKitGTK tells no page how much it keeps and may keep",
  touch: "WebKitGTK's driver cannot have the page believe that there is no mouse",
  reloadPastCaches: "WebKitGTK's driver cannot reload past the service worker",
  relaxedSimd: "WebKitGTK has no relaxed SIMD",
  keptStore: "WebKitGTK's driver has a private session, which forgets what was kept with the last page or worker that uses it",
  bodyInPieces: "WebKitGTK hands a body over in a few large pieces, and of one that breaks off not all that came",
  largeFiles: "WebKitGTK under its driver once (in 33 runs) did not take a large file that was chosen, it is not known why",
  policyReports: "WebKitGTK tells a worker of no request that its policy refuses",
};

const SIZE = { width: 1280, height: 900 };
/** MiniBrowser's window cannot be narrower than its tools; so they are made to take no room. */
const NARROW_TOOLS = `
* { font-size: 1px; min-width: 0; min-height: 0; padding: 0; margin: 0; border: 0; -gtk-icon-source: none; }
image { margin: 0 -8px; }
`;

/** In the page: has the rules for a colour scheme and a medium apply as if they were the browser's. */
const MEDIA = `
  const [scheme, medium] = arguments;
  const originals = (globalThis.mediaOfRules ??= new WeakMap());
  const known = { dark: scheme === "dark", light: scheme !== "dark", print: medium === "print", screen: medium !== "print" };
  const walk = (rules) => {
    for (const rule of rules) {
      if (rule.media) {
        if (!originals.has(rule)) originals.set(rule, rule.media.mediaText);
        const original = originals.get(rule);
        const asked = /^(?:\\(prefers-color-scheme: (dark|light)\\)|(print|screen))$/.exec(original);
        if (asked) rule.media.mediaText = scheme === "" && medium === "" ? original : known[asked[1] ?? asked[2]] ? "all" : "not all";
        else if (/prefers-color-scheme|print|screen/.test(original)) throw new Error("no way to emulate " + original);
      }
      if (rule.cssRules) walk(rule.cssRules);
    }
  };
  for (const sheet of document.styleSheets) walk(sheet.cssRules);
  document.documentElement.style.colorScheme = scheme;
`;

/** The newest MiniBrowser that Debian's multiarch folders have. */
function miniBrowser() {
  const folders = readdirSync("/usr/lib").filter((name) => name.includes("-linux-gnu"));
  const versions = ["webkitgtk-6.0", "webkit2gtk-4.1", "webkit2gtk-4.0"];
  return firstExisting(...folders.flatMap((folder) => versions.map((version) => `/usr/lib/${folder}/${version}/MiniBrowser`)));
}

/** By itself or by a signal, which leaves no exit code. @param {import("node:child_process").ChildProcess} child */
const hasEnded = ({ exitCode, signalCode }) => exitCode !== null || signalCode !== null;

/** @returns {Promise<number>} */
async function freePort() {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = /** @type {import("node:net").AddressInfo} */ (probe.address());
  probe.close();
  await once(probe, "close");
  return port;
}

/** A screen that nobody sees; the answer of `-displayfd` is its number. */
async function openScreen() {
  const server = spawn("Xvfb", ["-displayfd", "3", "-screen", "0", "1920x1600x24", "-nolisten", "tcp"], {
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  });
  const answer = /** @type {import("node:stream").Readable} */ (server.stdio[3]);
  const [number] = await Promise.race([once(answer, "data"), once(server, "error").then(([reason]) => Promise.reject(reason))]);
  return { server, display: `:${String(number).trim()}` };
}

/** @type {Engine["start"]} */
export async function start({ downloads, proxy }) {
  const home = await mkdtemp(path.join(os.tmpdir(), "logit-lab-webkit-"));
  await mkdir(path.join(home, "gtk-3.0"));
  await writeFile(path.join(home, "gtk-3.0/gtk.css"), NARROW_TOOLS);
  if (downloads) await writeFile(path.join(home, "user-dirs.dirs"), `XDG_DOWNLOAD_DIR="${downloads}"\n`);
  const { server: screen, display } = await openScreen();
  const port = await freePort();
  const environment = {
    ...process.env,
    DISPLAY: display,
    GDK_BACKEND: "x11",
    // Without a graphics card its compositor makes a frame a second.
    WEBKIT_DISABLE_COMPOSITING_MODE: "1",
    HOME: home,
    XDG_CONFIG_HOME: home,
    XDG_DATA_HOME: home,
    XDG_CACHE_HOME: home,
    // Its sandbox needs namespaces, which root in a container has not.
    ...(process.getuid?.() === 0 ? { WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: "1" } : {}),
  };
  const service = spawn(process.env.WEBKIT_DRIVER ?? "WebKitWebDriver", [`--port=${port}`], { env: environment, stdio: "ignore" });
  async function close() {
    for (const child of [service, screen]) {
      if (hasEnded(child)) continue;
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    }
    await rm(home, { recursive: true, force: true, maxRetries: 3 });
  }
  try {
    await listening(port, service);
    const capabilities = new Capabilities({
      browserName: "MiniBrowser",
      "webkitgtk:browserOptions": { binary: process.env.MINIBROWSER ?? miniBrowser(), args: ["--automation"] },
    });
    if (proxy) capabilities.setProxy(proxyConfig(proxy));
    const driver = await new Builder().usingServer(`http://127.0.0.1:${port}`).withCapabilities(capabilities).build();
    const emulateScreen = (/** @type {Size | null} */ size) => setInnerSize(driver, size ?? SIZE);
    await emulateScreen(null);
    return {
      driver,
      emulateScreen,
      emulateMedia: ({ scheme = "", medium = "" }) => driver.executeScript(MEDIA, scheme, medium),
      close,
    };
  } catch (reason) {
    await close();
    throw reason;
  }
}

/** @param {number} port @param {import("node:child_process").ChildProcess} service */
async function listening(port, service) {
  /** @type {Error | null} */
  let fault = null;
  service.once("error", (reason) => (fault = reason));
  for (let times = 0; times < 200 && !fault && !hasEnded(service); times += 1) {
    const signal = AbortSignal.timeout(1000);
    const ready = await fetch(`http://127.0.0.1:${port}/status`, { signal }).then(({ ok }) => ok, () => false);
    if (ready) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw fault ?? new Error("WebKitWebDriver does not answer");
}

/** @param {import("selenium-webdriver").WebDriver} driver @param {Size} size of the page in it */
async function setInnerSize(driver, { width, height }) {
  const window = driver.manage().window();
  const outer = await window.getRect();
  const inner = () => driver.executeScript("return { width: innerWidth, height: innerHeight };");
  const { width: innerWidth, height: innerHeight } = await inner();
  await window.setRect({ width: width + outer.width - innerWidth, height: height + outer.height - innerHeight });
  // The window manager that is not there answers before the page has been laid out anew.
  let reached = await inner();
  for (let times = 0; times < 60 && reached.width !== width; times += 1) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    reached = await inner();
  }
  if (reached.width !== width) throw new Error(`the page is ${reached.width} px wide and does not become ${width}`);
}
