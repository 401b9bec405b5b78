/** What the engines share: where browsers and drivers are, if no variable says so, and proxies. */
import { existsSync } from "node:fs";

/** @param {string[]} names of files */
export const firstExisting = (...names) => names.find((name) => existsSync(name)) ?? names[0];

/**
 * A proxy as WebDriver names it.
 *
 * @param {string} host and port
 * @returns {import("selenium-webdriver").ProxyConfig}
 */
export function proxyConfig(host) {
  const config = { proxyType: "manual", httpProxy: host, sslProxy: host, noProxy: ["127.0.0.1", "localhost"] };
  // The standard has a list where the types have a string.
  return /** @type {any} */ (config);
}
