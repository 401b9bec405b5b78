/** Where browsers and drivers are, where no variable says so. */
import { existsSync } from "node:fs";

/** @param {string[]} names of files */
export const firstExisting = (...names) => names.find((name) => existsSync(name)) ?? names[0];
