/**
 * A finger that lands on a slider and then scrolls the page must not have moved the slider: the browser puts the thumb under
 * the finger first and finds out later what was meant. Then it takes the pointer away, and the slider gets its value back.
 */

/** The slider under the finger, and its value before. @type {{ slider: HTMLInputElement, value: string } | null} */
let touched = null;

/** @param {EventTarget | null} target */
const isSlider = (target) => target instanceof HTMLInputElement && target.type === "range";

/** For all sliders, those of panels that come later too. */
export function keepSlidersFromScrolling() {
  document.addEventListener(
    "pointerdown",
    ({ target, pointerType }) => {
      const slider = /** @type {HTMLInputElement} */ (target);
      touched = isSlider(target) && pointerType === "touch" ? { slider, value: slider.value } : null;
    },
    { capture: true },
  );
  document.addEventListener("pointercancel", ({ target }) => {
    if (touched === null || target !== touched.slider) return;
    const { slider, value } = touched;
    touched = null;
    if (slider.value === value) return;
    slider.value = value;
    for (const type of ["input", "change"]) slider.dispatchEvent(new Event(type, { bubbles: true }));
  });
}
