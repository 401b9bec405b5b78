/** Sheet 15: the usual failures of a generation program, recognised by what they look like from outside. */

import { argmax, rowOf } from "../bench.js";
import { shown } from "../checks.js";
import { runOnEngine } from "../loop-engine.js";
import { guardPasses, without } from "../loop.js";
import { choice, number, quoted, scale, story, words } from "./parts.js";

/** @import { Bench } from "../bench.js" */
/** @import { Facts, Sheet } from "../types.js" */

const failures = scale(
  ["dropout", "Dropout was left on"],
  ["append", "The picked token is not appended"],
  ["limit", "There is no limit"],
  ["teacher", "Training's way of reading was mixed with generation"],
);

/** The known text of the fourth step, of which the model reads every true beginning. */
const knownText = `${story} a little girl who lived in a small house with her mother and her father.`;

/** @param {Bench} bench @param {string[]} program @returns {Promise<Facts>} */
const broken = (bench, program) => runOnEngine(program, bench, { settings: { greedy: true }, seed: 1, prompt: story });

/** @type {Sheet} */
export const failuresSheet = {
  name: "failures",
  title: "What usually goes wrong",
  about: "Four failures of generation programs and one belief: know them by their symptoms.",
  minutes: 20,
  model: "any",
  steps: [
    {
      id: "dropout",
      title: "Scores that jitter",
      text: [
        "A service runs greedily, and yet two identical requests get different answers. Its author sends identical ids twice, and prints the scores: they differ from call to call, by a lot.",
        "This engine has no dropout, so this cannot be had here. Ask it twice all the same.",
      ],
      measure: {
        label: "Ask twice",
        run: async (bench) => {
          const { ids } = await bench.tokenize(story);
          const [one, two] = [await bench.logits(ids), await bench.logits(ids)];
          return { differing: one.reduce((count, logit, n) => count + (logit === two[n] ? 0 : 1), 0), scores: one.length };
        },
      },
      questions: [
        {
          id: "differing",
          question: "How many scores differ between two calls of this engine?",
          field: number("scores", "score"),
          right: ({ differing }) => Number(differing),
          why: ({ scores }) => `Of ${shown(scores)}. In the service, all of them did.`,
          hint: "Press Ask twice, or compare the bars of two runs with one prompt.",
        },
        {
          id: "cause",
          question: "What is wrong with the service?",
          field: failures,
          right: () => "dropout",
          why: () => "Set the model to evaluation mode. A fixed seed would hide the fault, not mend it.",
          hint: "Which of the four changes the scores themselves?",
        },
      ],
    },
    {
      id: "append",
      title: "A record with a scratch",
      text: ["A program makes the same word over and over. The engine runs such a program for you, with one block missing."],
      measure: { label: "Run the broken program", run: (bench) => broken(bench, without("append")) },
      shows: ({ pieces, verdict }) => [`It picked: ${Array.isArray(pieces) ? pieces.map((piece) => quoted(piece)).join(" ") : ""}`, String(verdict)],
      questions: [
        {
          id: "different",
          question: "How many different tokens did it pick?",
          field: number("tokens", "token"),
          right: ({ made }) => new Set(/** @type {number[]} */ (made)).size,
          why: () => "A model that merely repeats itself also changes its scores as it goes. Here they cannot change.",
          hint: "Run it and look.",
        },
        {
          id: "cause",
          question: "What is wrong with the program?",
          field: failures,
          right: ({ kind }) => (kind === "repeats" ? "append" : "limit"),
          why: () => "Each call gets the prompt alone.",
          hint: "Do the ids grow?",
        },
      ],
    },
    {
      id: "limit",
      title: "The bill at the end of the month",
      text: ["A program works in all tests, and one night it does not come back. The engine runs it, with a guard."],
      predict: {
        question: `After how many passes will the guard of ${guardPasses} have to end it?`,
        field: number("passes", "pass"),
        outcome: ({ passes, guarded }) =>
          guarded ? `After ${shown(passes)}: it would have gone on.` : `It ended by itself, after ${shown(passes)}.`,
        right: ({ passes }) => Number(passes),
      },
      measure: { label: "Run the broken program", run: (bench) => broken(bench, without("limit")) },
      questions: [
        {
          id: "tests",
          question: "Why did the tests not find it?",
          field: choice(
            ["end", "In them the model happened to make its end token"],
            ["short", "A test cannot be long enough"],
            ["greedy", "Tests are greedy"],
          ),
          right: ({ guarded }) => (guarded ? "end" : "short"),
          why: () => "An end token may come. A budget surely does.",
          hint: "What else may end a run, if one is lucky?",
        },
      ],
    },
    {
      id: "teacher",
      title: "It was so good in training",
      text: [
        `While training, a model reads the true text up to each token, and guesses the next: ${quoted(knownText)}`,
        "While generating it reads its own. This step counts right guesses in both ways.",
      ],
      predict: {
        question: "Reading the true text, it guesses the next token rightly more often, equally often, or less often than when it reads its own?",
        field: scale(["more", "More often"], ["equal", "Equally often"], ["less", "Less often"]),
        outcome: ({ forced, free, tokens, own }) =>
          `Of ${shown(tokens)} tokens, ${shown(forced)} with the true text before them, ${shown(free)} from its own. Its own goes: ${quoted(own)}`,
        right: ({ forced, free }) =>
          Number(forced) > Number(free) ? "more" : Number(forced) === Number(free) ? "equal" : "less",
      },
      measure: {
        label: "Count both ways",
        run: async (bench) => {
          const { ids: prompt } = await bench.tokenize(story);
          const { ids } = await bench.tokenize(knownText);
          const logits = await bench.logits(ids, { positions: "all" });
          const places = ids.slice(prompt.length).map((_, n) => prompt.length + n);
          const forced = places.filter((at) => argmax(rowOf(logits, at - 1, bench.vocabulary)) === ids[at]).length;
          const run = await bench.generate({ ids: prompt, maxNewTokens: places.length });
          const free = places.filter((at, n) => run.newIds[n] === ids[at]).length;
          return { forced, free, tokens: places.length, own: run.text };
        },
      },
      questions: [
        {
          id: "why",
          question: "Why do the two ways differ in general?",
          field: choice(
            ["drift", "A wrong guess of its own changes everything that it reads afterwards"],
            ["weights", "Generation uses other weights"],
            ["cache", "The cache loses what was before"],
          ),
          right: () => "drift",
          why: () => "A good score in training's way says how good the next guess is, not how good a long text will be.",
          hint: "What does it read after its first wrong guess?",
        },
      ],
    },
    {
      id: "belief",
      title: "One pass, one answer?",
      text: ["“I run the model once over the question and read off the answer.”"],
      measure: {
        label: "Run it once",
        run: async (bench) => {
          const { ids } = await bench.tokenize(story);
          const rows = (await bench.logits(ids, { positions: "all" })).length / bench.vocabulary;
          return { rows, usable: 1 };
        },
      },
      questions: [
        {
          id: "new",
          question: "How many tokens of an answer can be picked from one pass over the prompt?",
          field: number("tokens", "token"),
          right: ({ usable }) => Number(usable),
          why: ({ rows }) => `One. The pass made ${shown(rows)} rows of scores, but all other rows predict tokens of the prompt itself.`,
          hint: "Only one row of scores is about something that is not there yet.",
        },
        {
          id: "own",
          question: "Which of these failures could your own program have without your noticing? How would you test for it?",
          field: words,
          why: () => "Same ids twice: same scores. Ids grow by one a token. A budget that is small on purpose. A long text, read by a person.",
        },
      ],
    },
  ],
};
