/** One visual language: colours, letters and spaces come from styles/tokens.css, and can be read and told apart. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { describe, test } from "node:test";

const folder = new URL("../../www/styles/", import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith(".css") && name !== "tokens.css");
const tokens = readFileSync(new URL("tokens.css", folder), "utf8");

/** A style file without its comments; and without what is printed, for paper has sizes and colours of its own.
 * @param {string} name
 */
function styles(name) {
  const text = readFileSync(new URL(name, folder), "utf8").replace(/\/\*[\s\S]*?\*\//g, "");
  const at = text.indexOf("@media print");
  return at < 0 ? text : text.slice(0, at);
}

/** @typedef {{ file: string, selector: string, property: string, value: string }} Declaration */

/** @returns {Declaration[]} of all style files but the tokens */
function declarations() {
  return files.flatMap((file) =>
    [...styles(file).matchAll(/([^{};]+)\{([^{}]*)\}/g)].flatMap(([, selector, body]) =>
      body
        .split(";")
        .filter((line) => line.includes(":"))
        .map((line) => {
          const [, property, value] = /^\s*([\w-]+):\s*([\s\S]*?)\s*$/.exec(line) ?? ["", "", ""];
          return { file, selector: selector.trim(), property, value };
        }),
    ),
  );
}

const all = declarations();
const told = (/** @type {Declaration[]} */ wrong) =>
  wrong.map(({ file, selector, property, value }) => `${file}: ${selector} { ${property}: ${value} }`).join("\n");

/** The tokens of the light and of the dark scheme. @type {Record<"light" | "dark", Record<string, string>>} */
const schemes = (() => {
  const blocks = [...tokens.replace(/\/\*[\s\S]*?\*\//g, "").matchAll(/:root \{([^}]*)\}/g)].map(([, body]) =>
    Object.fromEntries([...body.matchAll(/--([\w-]+):\s*([^;]+);/g)].map(([, name, value]) => [name, value])),
  );
  return { light: blocks[0], dark: { ...blocks[0], ...blocks[1] } };
})();

/** The lines of the tokens' head: names before the colon, names behind it. @param {string} kind */
const declared = (kind) =>
  [...tokens.matchAll(new RegExp(`@${kind} ([^\n]+)`, "g"))].map(([, line]) =>
    line.split(":").map((names) => names.trim().split(/\s+/)),
  );

/** Red, green and blue as light, from 0 to 1. @param {string} hex */
const linear = (hex) =>
  [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });

/** The contrast of WCAG 2. @param {string} one @param {string} other */
function contrast(one, other) {
  const [light, dark] = [one, other]
    .map((hex) => linear(hex).reduce((sum, part, n) => sum + part * [0.2126, 0.7152, 0.0722][n], 0.05))
    .toSorted((a, b) => b - a);
  return light / dark;
}

/** How linear light looks to those who lack a kind of cone: Machado, Oliveira and Fernandes (2009), severity 1. */
const sights = {
  usual: [1, 0, 0, 0, 1, 0, 0, 0, 1],
  protanopia: [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
  deuteranopia: [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
};

const times = (/** @type {number[]} */ matrix, /** @type {number[]} */ [x, y, z]) =>
  [0, 3, 6].map((row) => matrix[row] * x + matrix[row + 1] * y + matrix[row + 2] * z);

/** How far apart two colours look in OKLab (Ottosson 2020); about 0.02 can just be seen side by side.
 * @param {string} one @param {string} other @param {number[]} sight
 */
function distance(one, other, sight) {
  const [a, b] = [one, other].map((hex) => {
    const light = times(sight, linear(hex)).map((part) => Math.min(1, Math.max(0, part)));
    const cones = times(
      [0.4122214708, 0.5363325363, 0.0514459929, 0.2119034982, 0.6806995451, 0.1073969566, 0.0883024619, 0.2817188376, 0.6299787005],
      light,
    ).map(Math.cbrt);
    return times(
      [0.2104542553, 0.793617785, -0.0040720468, 1.9779984951, -2.428592205, 0.4505937099, 0.0259040371, 0.7827717662, -0.808675766],
      cones,
    );
  });
  return Math.hypot(...a.map((part, n) => part - b[n]));
}

describe("the styles", () => {
  test("only_the_tokens_name_colours", () => {
    const raw = /#[\da-f]{3,8}\b|\b(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color|color-mix)\(|\b(?:white|black|red|green|blue|gr[ae]y|orange|yellow|silver)\b/i;
    const wrong = all.filter(({ value }) => raw.test(value.replace(/var\([^)]*\)/g, "")));
    assert.equal(told(wrong), "");
    assert.ok(all.length > 1000, `${all.length} declarations were read`);
    const code = readdirSync(new URL("../src/", folder), { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".js"));
    const inCode = code.filter((name) =>
      /["'`](?:#[\da-f]{3,8}|rgba?\([^"']*|hsla?\([^"']*)["'`]/i.test(readFileSync(new URL(`../src/${name}`, folder), "utf8")),
    );
    assert.deepEqual(inCode, [], "charts take the tokens too");
  });

  test("only_the_tokens_name_sizes_of_letters", () => {
    const inherits = /^(?:inherit|0)$/;
    const wrong = all.filter(
      ({ property, value }) =>
        (property === "font-size" && !inherits.test(value) && !/^(?:var\(--text-[a-z]+\)|max\(1rem, var\(--text-[a-z]+\)\))$/.test(value)) ||
        (property === "font" && value !== "inherit" && !/^var\(--text-[a-z]+\) ?\/ ?(?:var\(--leading\)|[\d.]+rem) var\(--(?:sans|mono)\)$/.test(value)),
    );
    assert.equal(told(wrong), "");
    const weights = new Set(all.filter(({ property }) => property === "font-weight").map(({ value }) => value));
    assert.deepEqual([...weights].toSorted(), ["400", "500", "600"]);
  });

  test("spaces_and_corners_are_those_of_the_scale", () => {
    // Nothing, a hairline of at most two pixels, a share of the width, or a token; calc() may join these.
    const parts = /^(?:0|auto|-?1px|-1\.5px|2px|-?\d*\.?\d+|100%|-?1em)$/;
    const wrong = all.filter(({ property, value }) => {
      if (/^(?:margin|padding|gap|row-gap|column-gap)/.test(property)) {
        const words = value.replace(/var\(--[\w-]+\)/g, "0").split(/[\s(),*/+]+|calc|max|min| - /).filter(Boolean);
        return !words.every((word) => parts.test(word) || word === "-");
      }
      return property === "border-radius" && !/^(?:(?:0|50%|calc\(var\(--radius\) - 1px\)|var\(--radius(?:-small|-large)?\))\s*)+$/.test(value);
    });
    assert.equal(told(wrong), "");
  });

  test("every_token_is_used_and_every_one_that_is_used_is_there", () => {
    const used = new Set(all.flatMap(({ value }) => [...value.matchAll(/var\(--([\w-]+)/g)].map(([, name]) => name)));
    const own = new Set(all.filter(({ property }) => property.startsWith("--")).map(({ property }) => property.slice(2)));
    // Set by a view, on the element.
    const given = ["extras", "columns", "goes-on-at"];
    const unknown = [...used].filter((name) => !(name in schemes.light) && !own.has(name) && !given.includes(name));
    assert.deepEqual(unknown, []);
    const inTokens = [...tokens.matchAll(/var\(--([\w-]+)/g)].map(([, name]) => name);
    const idle = Object.keys(schemes.light).filter((name) => !used.has(name) && !inTokens.includes(name));
    assert.deepEqual(idle, []);
  });

  test("no_rule_has_the_whole_page_looked_at_again_whatever_changes_in_it", () => {
    const wide = all.filter(({ selector }) => /(?:html|body|:root)[^\s,>+~]*:has\(|(?:^|[\s,>+~]):has\(/.test(selector));
    assert.equal(told(wide), "", "what the page as a whole is laid out by is a class of its root: views/mount.js");
  });

  test("nothing_is_told_only_to_those_who_can_hover", () => {
    const views = new URL("../src/views/", folder);
    const titled = readdirSync(views).filter((name) => /\stitle=/.test(readFileSync(new URL(name, views), "utf8").replace(/^.*\* .*$/gm, "")));
    assert.deepEqual(titled, [], "a title is shown to a mouse alone");
    const hovered = all.filter(({ selector, property }) => selector.includes(":hover") && !/:(?:focus|not)/.test(selector) &&
      !/^(?:color|background|border-color|outline|outline-offset|box-shadow|cursor)$/.test(property));
    assert.equal(told(hovered), "", "hovering may light something up, never show it");
  });

  for (const [scheme, values] of Object.entries(schemes)) {
    for (const [kind, least] of /** @type {const} */ ([["text", 4.5], ["mark", 3]])) {
      test(`${kind}_on_its_grounds_has_a_contrast_of_${least}_in_the_${scheme}_scheme`, () => {
        const pairs = declared(kind).flatMap(([[front], grounds]) => grounds.map((ground) => [front, ground]));
        assert.ok(pairs.length >= 10, `${pairs.length} pairs`);
        const weak = pairs
          .map(([front, ground]) => ({ front, ground, ratio: contrast(values[front], values[ground]) }))
          .filter(({ ratio }) => !(ratio >= least));
        assert.deepEqual(weak, []);
      });
    }

    test(`colours_that_mean_something_stay_apart_for_those_who_see_no_red_or_no_green_in_the_${scheme}_scheme`, () => {
      const near = declared("apart").flatMap(([names]) =>
        names.flatMap((one, n) =>
          names.slice(n + 1).flatMap((other) =>
            Object.entries(sights)
              .map(([sight, matrix]) => ({ one, other, sight, apart: distance(values[one], values[other], matrix) }))
              // Twice of what can just be seen for washes under text, four times for lines and bars.
              .filter(({ apart }) => !(apart >= (one.startsWith("series") ? 0.08 : 0.04))),
          ),
        ),
      );
      assert.deepEqual(near, []);
    });
  }

  test("what_the_browser_paints_around_the_page_has_the_colours_of_the_tokens", () => {
    const page = readFileSync(new URL("../index.html", folder), "utf8");
    const shown = [...page.matchAll(/name="theme-color" content="([^"]+)" media="\(prefers-color-scheme: (\w+)\)"/g)];
    const surfaces = Object.entries(schemes).map(([scheme, { surface }]) => [scheme, surface]);
    assert.deepEqual(shown.map(([, colour, scheme]) => [scheme, colour]), surfaces);
    const manifest = JSON.parse(readFileSync(new URL("../offline/manifest.webmanifest", folder), "utf8"));
    assert.equal(manifest.theme_color, schemes.light.surface);
    assert.equal(manifest.background_color, schemes.light.page);
  });

  test("a_rule_that_sets_text_and_ground_sets_a_pair_that_is_declared", () => {
    const pairs = new Set(declared("text").flatMap(([[front], grounds]) => grounds.map((ground) => `${front} on ${ground}`)));
    /** @type {Map<string, Record<string, string>>} */
    const rules = new Map();
    for (const { file, selector, property, value } of all) {
      const name = /^var\(--([\w-]+)\)$/.exec(value)?.[1];
      if (name === undefined || !/^(?:color|background|background-color)$/.test(property)) continue;
      const rule = `${file} ${selector}`;
      rules.set(rule, { ...rules.get(rule), [property === "color" ? "color" : "ground"]: name });
    }
    const both = [...rules].filter(([, { color, ground }]) => color && ground);
    assert.ok(both.length >= 8, `${both.length} rules`);
    assert.deepEqual(both.filter(([, { color, ground }]) => !pairs.has(`${color} on ${ground}`)), []);
  });
});
