/**
 * How the text lies in its box. The browser lays out a paragraph whole for each token that is added, so the text is laid
 * out in blocks. That cannot be seen: the first line of a block begins where the last line of the block before it ends.
 */

import { endsLine } from "../text-blocks.js";
import { keepReachable } from "./text-keys.js";

/** Blocks that are in their place. @type {WeakSet<Element>} */
let placed = new WeakSet();
/** @type {Element | null} */
let observed = null;

/** Called each time the text has been drawn. */
export function followText() {
  const box = document.getElementById("text");
  const blocks = document.getElementById("generated")?.children;
  if (!box || !blocks) return;
  placeBlocks(blocks);
  keepReachable();
  if (box.dataset.following !== "false") box.scrollTop = box.scrollHeight;
  if (box === observed) return;
  observed = box;
  // In another width every line ends elsewhere.
  new ResizeObserver(() => {
    placed = new WeakSet();
    placeBlocks(blocks);
  }).observe(box);
}

/** @param {HTMLCollection} blocks */
function placeBlocks(blocks) {
  for (let n = 1; n < blocks.length; n++) {
    const block = /** @type {HTMLElement} */ (blocks[n]);
    if (placed.has(block)) continue;
    const before = blocks[n - 1];
    const goesOn = !endsLine(before.textContent ?? "");
    block.classList.toggle("goes-on", goesOn);
    if (goesOn) block.style.setProperty("--goes-on-at", `${endOf(before) - block.getBoundingClientRect().left}px`);
    placed.add(block);
  }
}

/** Where the last line of a block ends, in pixels of the window. @param {Element} block */
function endOf(block) {
  const lines = block.lastElementChild?.getClientRects();
  return lines?.[lines.length - 1]?.right ?? 0;
}

/** Whoever scrolls up to read is not pulled down again. @param {Event} event */
export function noteFollowing(event) {
  const box = /** @type {HTMLElement} */ (event.currentTarget);
  box.dataset.following = String(box.scrollHeight - box.scrollTop - box.clientHeight < 8);
}
