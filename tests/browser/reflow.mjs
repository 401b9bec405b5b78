/** In the page: what is out of the window, cut off, covered by other words, or scrolls without saying what it is. */
export const FIND_FAULTS = `
  const faults = [];
  const name = (element) => {
    const own = element.id ? "#" + element.id : element.localName + (element.classList.length ? "." + [...element.classList].join(".") : "");
    const near = element.parentElement?.closest("[id]");
    return (near ? "#" + near.id + " " : "") + own;
  };
  // The place that a finger may hit is larger than what is drawn.
  const drawn = document.createElement("style");
  drawn.textContent = ".info::after { display: none !important; }";
  document.head.append(drawn);
  const isHidden = (element) => element.closest(".visually-hidden, .skip, [popover]:not(:popover-open)") !== null ||
    [element, element.closest("thead"), element.closest(".precision-head")].some((place) => place && getComputedStyle(place).clipPath === "inset(50%)");
  const root = document.scrollingElement;
  const all = [...document.querySelectorAll(args[0] ?? "body *")].filter((element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !isHidden(element));
  const styles = new Map(all.map((element) => [element, getComputedStyle(element)]));
  const scrolls = (element) => /auto|scroll/.test(styles.get(element)?.overflowX ?? "") && element.scrollWidth > element.clientWidth + 1;
  const inScroller = (element) => { for (let e = element.parentElement; e; e = e.parentElement) if (/auto|scroll|hidden|clip/.test(getComputedStyle(e).overflowX) && e !== root && e !== document.body) return true; return false; };

  if (root.scrollWidth > root.clientWidth) {
    const far = all.filter((element) => element.getBoundingClientRect().right > root.clientWidth + 0.5 && !inScroller(element));
    const outer = far.filter((element) => !far.includes(element.parentElement));
    faults.push(...outer.slice(0, 8).map((element) => "out of the window: " + name(element) + " to " + Math.round(element.getBoundingClientRect().right)));
    if (far.length === 0) faults.push("the page is " + root.scrollWidth + " px wide");
  }
  for (const element of all) {
    const style = styles.get(element);
    if (scrolls(element) && !element.matches("textarea, input")) {
      const named = element.ariaLabel || element.getAttribute("aria-labelledby") || element.matches("fieldset");
      if (element.tabIndex < 0 || !named || !element.getAttribute("role")) faults.push("scrolls sideways without a name or a stop of Tab: " + name(element));
    }
    if (element.innerText?.trim() && /hidden|clip/.test(style.overflowX + style.overflowY)) {
      const [wide, high] = [element.scrollWidth - element.clientWidth, element.scrollHeight - element.clientHeight];
      const cutX = /hidden|clip/.test(style.overflowX) && wide > 1 && !(style.textOverflow === "ellipsis");
      const cutY = /hidden|clip/.test(style.overflowY) && high > 2;
      if ((cutX || cutY) && !element.matches(".bar, .strip, .strip *")) faults.push("cut off: " + name(element) + " by " + wide + ", " + high + " px: " + element.innerText.trim().slice(0, 30));
    }
    if (element.matches("button, select, summary, th, td, label, .chip, h2, h3") && style.overflowX === "visible" && element.scrollWidth > element.clientWidth + 2 && element.clientWidth > 0)
      faults.push("beyond its box: " + name(element) + " by " + (element.scrollWidth - element.clientWidth) + " px: " + element.innerText.trim().slice(0, 30));
  }

  // Words over words: each text as it is drawn, less what the boxes around it cut off.
  const boxes = [];
  for (const element of all) {
    if (element.closest("svg, select, textarea, .strip")) continue;
    for (const node of element.childNodes) {
      if (node.nodeType !== Node.TEXT_NODE || node.data.trim() === "") continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const { left, top, right, bottom } of range.getClientRects()) {
        const box = { left, top: top + 2, right, bottom: bottom - 2, element };
        for (let around = element; around && around !== document.body; around = around.parentElement) {
          const style = styles.get(around) ?? getComputedStyle(around);
          if (style.overflowX === "visible" && style.overflowY === "visible") continue;
          const clip = around.getBoundingClientRect();
          box.left = Math.max(box.left, clip.left); box.right = Math.min(box.right, clip.right);
          box.top = Math.max(box.top, clip.top); box.bottom = Math.min(box.bottom, clip.bottom);
        }
        if (box.right - box.left > 2 && box.bottom - box.top > 2) boxes.push(box);
      }
    }
  }
  boxes.sort((a, b) => a.top - b.top);
  const fixed = (element) => element.closest("#sheets-column, .update-notice, :popover-open");
  const covered = new Set();
  for (let n = 0; n < boxes.length; n++) {
    for (let m = n + 1; m < boxes.length && boxes[m].top < boxes[n].bottom - 1; m++) {
      const [a, b] = [boxes[n], boxes[m]];
      const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const down = Math.min(a.bottom, b.bottom) - b.top;
      if (across <= 2 || down <= 2 || a.element === b.element || fixed(a.element) !== fixed(b.element)) continue;
      // Columns that stay in sight when a table scrolls lie over the others.
      if ([a, b].some(({ element }) => getComputedStyle(element.closest("th, td") ?? element).position === "sticky")) continue;
      covered.add("words over words: " + name(a.element) + " “" + a.element.innerText.trim().slice(0, 20) + "” and " + name(b.element) + " “" + b.element.innerText.trim().slice(0, 20) + "”");
    }
  }
  faults.push(...[...covered].slice(0, 12));
  drawn.remove();
  return faults;
`;
