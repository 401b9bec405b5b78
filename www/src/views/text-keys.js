/**
 * Pointer and keys in the text. The tokens are one tab stop: the box has it, and hands it to one token while the focus is
 * inside. Handlers are the box's, and a token gets its name when it gets the focus: nothing here costs a token anything
 * while text streams.
 */

/** @import { Actions } from "../actions.js" */

const tokens = ".t, .chip";
const page = 10;

/** @type {Actions | null} */
let made = null;
/** @type {ReturnType<typeof handlers> | null} */
let ready = null;

/** The same functions at each picture. @param {Actions} actions */
export function tokenHandlers(actions) {
  if (ready === null || made !== actions) [made, ready] = [actions, handlers(actions)];
  return ready;
}

/** @param {Actions} actions */
function handlers(actions) {
  return {
    /** @param {MouseEvent} event */
    mouseover({ target }) {
      const index = indexOf(target);
      if (index !== null) actions.pointAtStep(index);
    },
    mouseleave: actions.leaveSteps,

    /** Not where a click ends the selection of some text. @param {MouseEvent} event */
    click({ target }) {
      const index = indexOf(target);
      if (index === null || getSelection()?.isCollapsed === false) return;
      goTo(index, actions);
    },

    /** @param {FocusEvent} event */
    focusin({ target, currentTarget }) {
      const box = /** @type {HTMLElement} */ (currentTarget);
      const index = indexOf(target);
      if (index !== null) {
        box.dataset.step = String(index);
        actions.lookAtStep(index);
      } else if (target === box && box.matches(":focus-visible")) {
        goTo(Number(box.dataset.step ?? 0), actions);
      }
    },

    /** @param {FocusEvent} event */
    focusout({ target, currentTarget, relatedTarget }) {
      const box = /** @type {HTMLElement} */ (currentTarget);
      if (target !== box) leave(/** @type {HTMLElement} */ (target));
      const to = /** @type {Element | null} */ (relatedTarget);
      if (to !== null && box.contains(to)) return;
      box.tabIndex = 0;
      // On the way to its bars the step stays; another window or an empty place of the page is no place to go.
      if (to !== null && !to.closest("#bars-panel")) actions.endLook();
    },

    /** @param {KeyboardEvent} event */
    keydown(event) {
      const index = indexOf(event.target);
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "Escape") return actions.endLook();
      if (index === null) return;
      const last = count() - 1;
      /** @type {Record<string, number>} */
      const targets = {
        ArrowLeft: index - 1,
        ArrowRight: index + 1,
        PageUp: index - page,
        PageDown: index + page,
        Home: 0,
        End: last,
      };
      if (event.key === "Enter" || event.key === " ") {
        actions.lookAtStep(index);
        goToBars(/** @type {Element} */ (event.target));
      } else if (targets[event.key] !== undefined && !event.shiftKey) {
        goTo(Math.max(0, Math.min(last, targets[event.key])), actions);
      } else return;
      event.preventDefault();
    },
  };
}

/** Gives the focus to a token and looks at its step. (A window without focus tells nothing of the focus that a token gets.)
 * @param {number} index @param {Actions} actions
 */
function goTo(index, actions) {
  const token = tokenAt(Math.min(index, count() - 1));
  const box = document.getElementById("text");
  if (!token || !box) return;
  box.tabIndex = -1;
  token.tabIndex = 0;
  token.setAttribute("role", "button");
  const at = indexOf(token) ?? 0;
  token.setAttribute("aria-label", actions.spokenStep(at));
  token.focus();
  actions.lookAtStep(at);
}

/** To the buttons of the step's rows, which come from the engine; where there are none, to the button above them.
 * @param {Element} from the token @param {number} [frames] to wait
 */
function goToBars(from, frames = 60) {
  if (document.activeElement !== from) return;
  const button = document.querySelector("#bars .use[tabindex='0']") ?? (frames === 0 ? document.getElementById("bars-button") : null);
  if (button) /** @type {HTMLElement} */ (button).focus();
  else requestAnimationFrame(() => goToBars(from, frames - 1));
}

/** The token that had the focus may be gone with its text. */
export function keepReachable() {
  const box = document.getElementById("text");
  if (box?.tabIndex === -1 && !box.contains(document.activeElement)) box.tabIndex = 0;
}

/** @param {HTMLElement} token */
function leave(token) {
  for (const name of ["tabindex", "role", "aria-label"]) token.removeAttribute(name);
}

const blocks = () => Array.from(document.querySelectorAll("#generated > .text-block"));
const count = () => blocks().reduce((sum, block) => sum + block.childElementCount, 0);

/** @param {EventTarget | null} target of an event in the text @returns {number | null} */
function indexOf(target) {
  const token = target instanceof Element ? target.closest(tokens) : null;
  const block = token?.closest(".text-block");
  if (!token || !block) return null;
  let before = 0;
  for (let other = block.previousElementSibling; other; other = other.previousElementSibling) {
    before += other.childElementCount;
  }
  return before + Array.from(block.children).indexOf(token);
}

/** @param {number} index @returns {HTMLElement | null} */
function tokenAt(index) {
  for (const block of blocks()) {
    if (index < block.childElementCount) return /** @type {HTMLElement} */ (block.children[index]);
    index -= block.childElementCount;
  }
  return null;
}
