/** Sheet 7: which settings for which purpose, with the page's presets and the engine's own counts. */

import { defaultControls, toSettings } from "../../controls.js";
import { presets } from "../../presets.js";
import { firstDifference } from "../bench.js";
import { shown } from "../checks.js";
import { choice, number, plain, quoted, scale, story, words } from "./parts.js";

/** @import { Facts, Setting, Sheet } from "../types.js" */

const ids = presets.map(({ id, label }) => /** @type {[string, string]} */ ([id, label]));
const whichPreset = scale(...ids);

/** The engine's settings of a preset. @param {string} id */
function settingsOf(id) {
  return toSettings({ ...defaultControls, ...presets.find((preset) => preset.id === id)?.values });
}

/** @param {string} id @returns {Setting} */
function preset(id) {
  const label = presets.find((candidate) => candidate.id === id)?.label ?? id;
  return { id, label: `Set “${label}” and run`, said: `Set: the preset “${label}” on the story's prompt.`, preset: id, prompt: story, generate: true };
}

/** How many of the last three-token runs had been there before, as a share. @param {ArrayLike<number>} made */
function repeatedShare(made) {
  const seen = new Set();
  let again = 0;
  const runs = made.length - 2;
  for (let n = 0; n < runs; n++) {
    const run = [made[n], made[n + 1], made[n + 2]].join();
    if (seen.has(run)) again += 1;
    seen.add(run);
  }
  return again / runs;
}

/** @param {Facts} facts */
const distinctOf = ({ distinct, count }) => `${shown(distinct)} different texts from ${shown(count)} seeds.`;

/** @type {Sheet} */
export const productSettings = {
  name: "product-settings",
  title: "Settings for a purpose",
  about: "A short fixed answer, lively prose, a strict format, many alternatives: what each needs, and why.",
  minutes: 20,
  model: "any",
  steps: [
    {
      id: "short",
      title: "A short answer, always the same",
      text: ["A lookup in a help text: the same question has to give the same line every time."],
      sets: [preset("short")],
      predict: {
        question: "This preset under 5 different seeds makes how many different texts?",
        field: number("texts", "text"),
        outcome: distinctOf,
        right: ({ distinct }) => Number(distinct),
      },
      measure: {
        label: "Try 5 seeds",
        run: async (bench) => ({
          distinct: (await bench.samples({ settings: settingsOf("short"), count: 5 })).distinct,
          count: 5,
        }),
      },
      questions: [
        {
          id: "why",
          question: "What plays no part in it?",
          field: choice(["seed", "The seed"], ["scores", "The model's scores"], ["stop", "The stop string"]),
          right: ({ distinct }) => (distinct === 1 ? "seed" : "stop"),
          why: () => "Nothing is drawn, so there is nothing to seed.",
          hint: "What did you change five times without any effect?",
        },
      ],
    },
    {
      id: "creative",
      title: "Lively prose",
      text: ["A story for children: it should surprise, but not fall apart."],
      sets: [preset("creative")],
      predict: {
        question: "This preset under 5 different seeds makes how many different texts of 16 tokens?",
        field: number("texts", "text"),
        outcome: distinctOf,
        right: ({ distinct }) => Number(distinct),
      },
      measure: {
        label: "Try 5 seeds",
        run: async (bench) => {
          const { samples, distinct } = await bench.samples({ settings: settingsOf("creative"), count: 5 });
          return { distinct, count: 5, texts: samples.map(({ text }) => text ?? "") };
        },
      },
      shows: ({ texts }) => (Array.isArray(texts) ? texts.map((text) => quoted(text)) : []),
      questions: [
        {
          id: "nucleus",
          question: `What does its top-p of ${plain(0.9)} keep out?`,
          field: choice(
            ["tail", "The many unlikely tokens that together have a tenth of the chance"],
            ["top", "The likeliest token, to avoid dull text"],
            ["repeat", "Tokens that were there before"],
          ),
          right: () => "tail",
          why: () => "Each of them is rare. Over a hundred tokens, one of them would come up nearly surely.",
          hint: "Set the preset and look which bars are cut.",
        },
      ],
    },
    {
      id: "code",
      title: "A strict format",
      text: ["A line of code or a table row: a single odd token breaks it."],
      sets: [preset("code")],
      measure: {
        label: "Count what is kept",
        run: async (bench) => {
          const logits = await bench.logits((await bench.tokenize(story)).ids);
          const count = (/** @type {Float64Array} */ chances) => chances.reduce((kept, chance) => kept + (chance > 0 ? 1 : 0), 0);
          const code = await bench.step(logits, settingsOf("code"));
          const creative = await bench.step(logits, settingsOf("creative"));
          return { code: count(code.probabilities), creative: count(creative.probabilities) };
        },
      },
      questions: [
        {
          id: "kept",
          question: "After the story's prompt, how many tokens does this preset leave to draw from?",
          field: number("tokens", "token"),
          right: ({ code }) => Number(code),
          why: ({ code, creative }) => `${shown(code)}; the preset for lively prose leaves ${shown(creative)}.`,
          hint: "Set the preset. Its top-k says how many are kept.",
        },
        {
          id: "stop",
          question: "Why does it have a stop string as well?",
          field: choice(
            ["end", "A tiny model goes on after the block; an empty line is where it ends"],
            ["speed", "It makes each token faster"],
            ["seed", "It makes the seed count"],
          ),
          right: () => "end",
          why: () => "Sampling settings choose tokens. They never decide that enough has been said.",
          hint: "What would come after the function's last line?",
        },
      ],
    },
    {
      id: "alternatives",
      title: "Many alternatives",
      text: ["Ten headlines to choose from: keep the settings, vary the seed."],
      sets: [preset("alternatives")],
      predict: {
        question: "8 seeds with this preset: how many different texts?",
        field: number("texts", "text"),
        outcome: distinctOf,
        right: ({ distinct }) => Number(distinct),
      },
      measure: {
        label: "Try 8 seeds",
        run: async (bench) => {
          const { samples, distinct } = await bench.samples({ settings: settingsOf("alternatives"), count: 8 });
          const [one] = samples;
          const again = await bench.samples({ settings: settingsOf("alternatives"), count: 1, seed: one.seed });
          return { distinct, count: 8, again: firstDifference(one.newIds, again.samples[0].newIds) };
        },
      },
      questions: [
        {
          id: "again",
          question: "Somebody likes text number one. What is needed to make it again, on this page?",
          field: choice(
            ["seed", "Its seed, with prompt, model and settings"],
            ["luck", "Luck: drawing cannot be repeated"],
            ["greedy", "Greedy"],
          ),
          right: ({ again }) => (again === null ? "seed" : "luck"),
          why: () => "The engine made it again from its seed, token for token.",
          hint: "The line under the text on the page tells a number.",
        },
      ],
    },
    {
      id: "loops",
      title: "When it goes round in circles",
      text: [
        "Greedy text of a small model often repeats itself. A ban of repeated three-token runs, or a repetition penalty, changes the scores before the filters.",
      ],
      predict: {
        question: "Of the three-token runs in 64 greedy tokens, what share was there before? (Within 15 percentage points.)",
        field: number(),
        outcome: ({ plain, banned }) =>
          `${shown(Math.round(Number(plain) * 100))} % without, ${shown(Math.round(Number(banned) * 100))} % with the ban.`,
        right: ({ plain }) => Number(plain),
        tolerance: 0.15,
      },
      measure: {
        label: "Run with and without the ban",
        run: async (bench) => {
          const plain = await bench.generate({ maxNewTokens: 64 });
          const banned = await bench.generate({ maxNewTokens: 64, settings: { greedy: true, noRepeatNgram: 3 } });
          return { plain: repeatedShare(plain.newIds), banned: repeatedShare(banned.newIds) };
        },
      },
      questions: [
        {
          id: "price",
          question: "What does such a ban cost?",
          field: choice(
            ["forced", "Where a repetition would be right, it forces something else"],
            ["none", "Nothing: repetitions are always wrong"],
            ["memory", "It doubles the cache"],
          ),
          right: () => "forced",
          why: () => "A name that must come again, a table with equal lines: both are repetitions.",
          hint: "Think of code, or of a person's full name.",
        },
      ],
    },
    {
      id: "own",
      title: "Your product",
      text: ["Now one of your own."],
      questions: [
        {
          id: "match",
          question: "A shop wants five variants of an advertising line to choose from. Which preset do you start with?",
          field: whichPreset,
          right: () => "alternatives",
          why: () => "The nucleus keeps them sound, the seeds make them differ.",
          hint: "Which of the presets is about several texts?",
        },
        {
          id: "worse",
          question: "Choose a product. What is worst for it: delay, loops, or drifting away from the facts? Which setting helps against it, and which of the three can no setting help?",
          field: words,
          why: () => "Settings choose among the model's own tokens. Facts that it does not have are in none of them.",
        },
      ],
    },
  ],
};
