/** Words of the list of keys in the page's foot. docs/keyboard.md says the same for reading. */

import { inLanguage } from "./language.js";

export const words = inLanguage("keyboard", {
  title: "Keyboard",
  about:
    "Everything on this page can be done by keys. Tab and Shift+Tab go from control to control, Enter and Space press, the arrow keys choose and move sliders. No letter alone does anything. On a Mac, Command does what Control does.",
  columns: ["Where", "Keys", "What they do"],
  keys: [
    { id: "skip", where: "Top of the page", keys: "Tab, Enter", does: "skips to the prompt, or with a second Tab to the lab panels" },
    { id: "generate", where: "Prompt", keys: "Control+Enter", does: "generates" },
    { id: "read", where: "Anywhere", keys: "Alt+B", does: "has a screen reader read the five likeliest next tokens" },
    { id: "undo", where: "Anywhere but in a text field", keys: "Control+Z", does: "takes back the last change of the text" },
    { id: "redo", where: "Anywhere but in a text field", keys: "Control+Shift+Z", does: "makes it again" },
    { id: "tokens", where: "Tokens of the prompt", keys: "Left, Right, Home, End", does: "go from token to token" },
    { id: "inspect", where: "Tokens of the prompt", keys: "Enter", does: "shows what the model expected after this token; Escape closes it" },
    { id: "text", where: "Text", keys: "Left, Right, Page Up, Page Down, Home, End", does: "go from token to token; the bars show how each was picked" },
    { id: "bars", where: "Text", keys: "Enter", does: "goes to the bars of this token" },
    { id: "use", where: "Bars", keys: "Up, Down", does: "go from row to row among the buttons that put a token into the text" },
    { id: "present", where: "Text and bars", keys: "Escape", does: "comes back to the present" },
    { id: "slider", where: "Sliders", keys: "arrow keys, Page Up, Page Down, Home, End", does: "move them, the number that is drawn too" },
    { id: "move", where: "Chain, blocks of a loop", keys: "Enter on an arrow button", does: "moves a step or block; the focus goes along" },
    { id: "notes", where: "Question marks", keys: "Enter", does: "shows what a word means; Escape closes it" },
    { id: "tables", where: "Wide or long tables", keys: "arrow keys", does: "scroll them, once Tab has come to them" },
  ],
});
