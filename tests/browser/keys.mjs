/** A hand on the keyboard, and an eye on where the focus is: real key events only, and what can be seen of each stop. */
import { Key } from "selenium-webdriver";

/** In the page: the element with the focus, how it shows that, and whether anything lies over it. */
const SEE = `
  const element = document.activeElement;
  if (element === document.body || element === null) return null;
  const rgb = (text) => (text.match(/[\\d.]+/g) ?? [0, 0, 0, 0]).map(Number);
  const light = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const behind = (place) => {
    for (let other = place; other; other = other.parentElement) {
      const colour = rgb(getComputedStyle(other).backgroundColor);
      if ((colour[3] ?? 1) > 0.5) return colour;
    }
    return [255, 255, 255];
  };
  const contrast = (a, b) => {
    const [less, more] = [light(a), light(b)].sort((one, other) => one - other);
    return (more + 0.05) / (less + 0.05);
  };
  // Of a choice of a few side by side, the words show what its radio button, which is not to be seen, has.
  const rings = [element, element.nextElementSibling, element.parentElement].filter(Boolean).map((place) => {
    const { outlineStyle, outlineWidth, outlineColor, outlineOffset } = getComputedStyle(place);
    const drawn = outlineStyle !== "none" && parseFloat(outlineWidth) >= 2;
    return { place, drawn, contrast: contrast(rgb(outlineColor), behind(parseFloat(outlineOffset) < 0 ? place : place.parentElement)) };
  });
  const ring = rings.find(({ drawn }) => drawn);
  const box = (ring ?? rings[0]).place.getBoundingClientRect();
  // Of a field higher than the window is left, the line that is written in is in sight.
  const points = [[0.5, 0.5], [0.05, 0.5], [0.95, 0.5], [0.5, 0.1], [0.5, 0.9]]
    .map(([x, y]) => [box.left + box.width * x, box.top + box.height * y])
    .filter(([x, y]) => x >= 0 && y >= 0 && x < innerWidth && y < innerHeight);
  const seen = points.filter(([x, y]) => {
    const top = document.elementFromPoint(x, y);
    return top && (top.contains(element) || element.contains(top) || element.labels?.[0]?.contains(top) || element.parentElement.contains(top));
  });
  const words = (element.ariaLabel ?? element.labels?.[0]?.innerText ?? element.innerText ?? "").trim().slice(0, 60);
  return {
    id: element.id, tag: element.tagName.toLowerCase(), type: element.type ?? "", words, value: element.value ?? "",
    ring: ring ? ring.contrast : 0, seen: points.length === 0 ? 0 : seen.length / points.length, height: box.height,
    order: [...document.querySelectorAll("*")].indexOf(element),
  };
`;

/** @typedef {{ id: string, tag: string, type: string, words: string, value: string, ring: number, seen: number, height: number, order: number }} Stop */

/** @param {() => { browser: import("./driver.mjs").Browser }} lab which is opened after this is called */
export function keysOf(lab) {
  const driver = () => lab().browser.driver;
  /** @param {...string} keys one after the other */
  const press = (...keys) => driver().actions().sendKeys(...keys).perform();
  /** @param {string} held @param {string} key */
  const chord = (held, key) => driver().actions().keyDown(held).sendKeys(key).keyUp(held).perform();
  /** @returns {Promise<Stop | null>} */
  const focused = () => driver().executeScript(SEE);
  /** @param {string | ((stop: Stop) => boolean)} where an id, or what holds there */
  const isAt = async (where) => {
    const stop = await focused();
    return stop !== null && (typeof where === "string" ? stop.id === where : where(stop)) ? stop : null;
  };
  return {
    press,
    chord,
    focused,

    /**
     * Tab, or Shift and Tab, until the focus is where it is wanted.
     * @param {string | ((stop: Stop) => boolean)} where an id, or what holds there
     * @param {{ back?: boolean, most?: number }} [options]
     */
    async tabTo(where, { back = false, most = 200 } = {}) {
      for (let n = 0; n <= most; n++) {
        const there = await isAt(where);
        if (there) return there;
        await (back ? chord(Key.SHIFT, Key.TAB) : press(Key.TAB));
      }
      throw new Error(`Tab does not come to ${where}`);
    },

    /** @param {string | ((stop: Stop) => boolean)} where */
    focusComes: (where) => lab().browser.waitFor(`the focus at ${where}`, () => isAt(where)),

    /** Every stop of Tab from the top of the page to its end. @param {number} [most] */
    async stops(most = 900) {
      /** @type {Stop[]} */
      const all = [];
      for (let n = 0; n < most; n++) {
        await press(Key.TAB);
        const stop = await focused();
        // After the last one the browser's own parts would come.
        if (stop === null || (all.length > 0 && stop.order === all[0].order)) return all;
        all.push(stop);
      }
      throw new Error(`Tab does not come to the end of the page in ${most} stops`);
    },
  };
}
