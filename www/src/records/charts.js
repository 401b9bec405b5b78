/**
 * The charts that open panels show, as pictures of their own: colours of the page's style sheets are written out, for a
 * picture outside the page has none of them, and the legend that stands beside a drawing is put into it.
 */

import { words } from "../words/records-report.js";

/** @typedef {{ title: string, svg: string }} ReportChart */

const svgSpace = "http://www.w3.org/2000/svg";
const legendHeight = 26;

/** The page's colours by day, whatever the screen shows now: a report is read on paper.
 * @returns {(name: string) => string}
 */
function dayColours() {
  const rules = [...document.styleSheets].flatMap(({ cssRules }) => [...cssRules]);
  const root = rules.find((rule) => rule instanceof CSSStyleRule && rule.selectorText === ":root");
  return (name) => (root instanceof CSSStyleRule ? root.style.getPropertyValue(name).trim() : "");
}

/** @returns {ReportChart[]} */
export function chartsShown() {
  const colour = dayColours();
  return [...document.querySelectorAll(".lab-panel:not([hidden]) .chart-drawing")].flatMap((place) => {
    // With a legend the drawing stands in a figure, and each sign of the legend is a small drawing too.
    const drawn = place.querySelector(":scope > svg, :scope > figure > svg");
    if (!(drawn instanceof SVGSVGElement)) return [];
    const copy = /** @type {SVGSVGElement} */ (drawn.cloneNode(true));
    addLegend(copy, [...place.querySelectorAll("[class$='-swatch']")]);
    copy.style.color = colour("--ink");
    copy.style.background = colour("--surface");
    copy.style.fontFamily = "sans-serif";
    const svg = new XMLSerializer()
      .serializeToString(copy)
      .replace(/var\((--[\w-]+)(?:,[^)]*)?\)/g, (whole, name) => colour(name) || whole);
    const title = place.closest("figure")?.querySelector("figcaption > b")?.textContent ?? words.chart;
    return [{ title: title.trim(), svg }];
  });
}

/** A line above the drawing: each sign with its words. @param {SVGSVGElement} copy @param {Element[]} swatches */
function addLegend(copy, swatches) {
  if (swatches.length === 0) return;
  const { x, y, width, height } = copy.viewBox.baseVal;
  copy.setAttribute("viewBox", `${x} ${y - legendHeight} ${width} ${height + legendHeight}`);
  copy.setAttribute("height", String(height + legendHeight));
  let left = x + 8;
  for (const swatch of swatches) {
    const meaning = (swatch.textContent ?? "").trim();
    const sign = swatch.querySelector("svg")?.cloneNode(true);
    if (sign instanceof SVGElement) {
      sign.setAttribute("x", String(left));
      sign.setAttribute("y", String(y - legendHeight + 4));
      copy.append(sign);
    }
    const text = document.createElementNS(svgSpace, "text");
    text.setAttribute("x", String(left + 20));
    text.setAttribute("y", String(y - legendHeight + 16));
    text.setAttribute("text-anchor", "start");
    text.setAttribute("stroke", "none");
    text.setAttribute("fill", "currentColor");
    text.textContent = meaning;
    copy.append(text);
    // A letter has some 6 px at the drawing's 10 px.
    left += 40 + meaning.length * 6;
  }
}
