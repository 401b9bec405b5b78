/** The lab panels that a link can open alone: `#panel=NAME`. A panel that can be opened so has its name here. */

/** @type {string[]} */
export const labPanels = [];
