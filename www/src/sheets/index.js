/** The lab sheets, in the order of their list and in the page's language: a translation overlays what it has. */

import { inLanguage } from "../words/language.js";
import { batching } from "./content/batching.js";
import { cache } from "./content/cache.js";
import { failuresSheet } from "./content/failures.js";
import { fairComparison } from "./content/fair-comparison.js";
import { fourThings } from "./content/four-things.js";
import { loading } from "./content/loading.js";
import { loop } from "./content/loop.js";
import { memory } from "./content/memory.js";
import { precision } from "./content/precision.js";
import { prefillDecode } from "./content/prefill-decode.js";
import { productSettings } from "./content/product-settings.js";
import { reproducibility } from "./content/reproducibility.js";
import { stopping } from "./content/stopping.js";
import { temperatureNucleus } from "./content/temperature-nucleus.js";
import { waiting } from "./content/waiting.js";

/** @import { Sheet } from "./types.js" */

/** @type {Sheet[]} */
const english = [
  loading,
  prefillDecode,
  loop,
  cache,
  temperatureNucleus,
  stopping,
  productSettings,
  fourThings,
  reproducibility,
  waiting,
  precision,
  memory,
  batching,
  fairComparison,
  failuresSheet,
];

export const sheets = english.map((sheet) => inLanguage(`sheets/${sheet.name}`, sheet));
