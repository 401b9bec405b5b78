/** What the page says when this browser does not keep the notebook. */

import { inLanguage } from "./language.js";

export const words = inLanguage("notebook", {
  none: "This browser lets the page keep nothing: the notebook is gone when the page closes. Save what you need from Records.",
  full: "The browser did not keep the last change of the notebook: it is gone when the page closes. Save what you need from Records.",
  unreadable: "The notebook that this browser kept could not be read and was put aside. A new one has begun.",
});
