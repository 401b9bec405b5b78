/** Sheet 3: the student builds the generation loop of real blocks, and breaks it. */

import { rightProgram, startProgram, without } from "../loop.js";
import { shown } from "../checks.js";
import { choice, listed, number, quoted, scale, story, words } from "./parts.js";

/** @import { Facts, Setting, Sheet } from "../types.js" */

/** @type {Setting} */
const prepare = {
  id: "prepare",
  label: "Set prompt and Greedy",
  said: "Set: the story's prompt, Greedy. Your loop uses the page's prompt, settings and seed.",
  prompt: story,
  controls: { greedy: true, maxNewTokens: 8 },
};

/** @param {string} label @param {string[]} program @param {string} said @returns {Setting} */
const blocksSet = (label, program, said) => ({ id: "blocks", label, said, program });

/** @param {Facts} facts */
const shows = ({ verdict, pieces, text, ownText, forwardCalls, passes }) => [
  String(verdict),
  `Picked: ${Array.isArray(pieces) && pieces.length > 0 ? pieces.map((piece) => quoted(piece)).join(" ") : "nothing"}`,
  text === null ? "Text: none." : `Text: ${quoted(text)}`,
  `The page's own loop makes: ${quoted(ownText)}`,
  `${shown(passes)} passes of your loop, ${shown(forwardCalls)} forward calls.`,
];

const outcomes = scale(
  ["right", "It makes the right text all the same"],
  ["repeats", "It picks the same token again and again"],
  ["runsOn", "It never stops by itself"],
  ["wrongPlace", "It continues the prompt from a wrong place"],
  ["fault", "It cannot go on, for something is missing"],
);

/** @param {Facts} facts */
const verdictOf = ({ verdict }) => String(verdict);
/** @param {Facts} facts */
const kindOf = ({ kind }) => String(kind);

/** @type {Sheet} */
export const loop = {
  name: "loop",
  title: "Build and break the loop",
  about: "Put the blocks of generation in order, run them on the real engine, then leave one out.",
  minutes: 30,
  model: "any; the bundled Tales-2M answers at once",
  steps: [
    {
      id: "build",
      title: "Build it",
      text: [
        "Here are the seven things that generation does. Some come once before the loop, some in it, one after it.",
        "Bring them into an order that works and run it. Each block is a real call to the engine.",
      ],
      sets: [prepare, blocksSet("Take all blocks out", startProgram, "All blocks are left out.")],
      loop: true,
      shows,
      questions: [
        {
          id: "built",
          question: "What did your loop do when you last ran it?",
          field: outcomes,
          right: kindOf,
          why: ({ kind }) =>
            kind === "right" ? "It is the page's own loop." : "That is what the engine saw too. Mend it, and run it again.",
          hint: "Run it, and read the first line of what the engine says.",
        },
        {
          id: "calls",
          question: "How many forward calls did that run make?",
          field: number("calls", "call"),
          right: ({ forwardCalls }) => Number(forwardCalls),
          why: () => "This loop reads all ids again at each call. A KV cache spares the reading, not the calls.",
          hint: "The last line of what the engine says has it.",
        },
      ],
    },
    {
      id: "append",
      title: "Forget to append",
      text: ["The right order, but the picked token is not added to the ids."],
      sets: [prepare, blocksSet("Leave out Append", without("append"), "The right order without Append.")],
      predict: { question: "What will this loop do?", field: outcomes, outcome: verdictOf, right: kindOf },
      loop: true,
      shows,
      questions: [
        {
          id: "why",
          question: "Why does it pick what it picks?",
          field: choice(
            ["same", "Each forward call gets the same ids, so it gives the same scores"],
            ["seed", "The seed is used up after the first token"],
            ["greedy", "Greedy always makes the same token"],
          ),
          right: ({ kind }) => (kind === "repeats" ? "same" : "greedy"),
          why: () => "The model has no memory of what was picked. What is not in the ids has not happened.",
          hint: "Run it once more with Greedy off and a seed: does it help?",
        },
      ],
    },
    {
      id: "limit",
      title: "Forget the limit",
      text: ["Everything is there but the check that ends it. (A guard of this sheet ends what nothing else ends, and says so.)"],
      sets: [prepare, blocksSet("Leave out the limit", without("limit"), "The right order without Check the limit.")],
      predict: { question: "What will this loop do?", field: outcomes, outcome: verdictOf, right: kindOf },
      loop: true,
      shows,
      questions: [
        {
          id: "guard",
          question: "How many tokens had it picked when it ended?",
          field: number("tokens", "token"),
          right: ({ tokens }) => Number(tokens),
          why: ({ guarded }) =>
            guarded ? "One a pass, until the guard stepped in." : "It ended by itself, so a limit was in it after all.",
          hint: "Count passes: each picks one token.",
        },
      ],
    },
    {
      id: "last",
      title: "Forget the last position",
      text: [
        "Without this block, the scores of all positions lie there one after the other, and sampling takes those that lie first.",
      ],
      sets: [
        prepare,
        blocksSet("Leave out the last position", without("last"), "The right order without Take the last position."),
      ],
      predict: { question: "What will this loop do?", field: outcomes, outcome: verdictOf, right: kindOf },
      loop: true,
      shows,
      questions: [
        {
          id: "grow",
          question: "The ids grow here, and yet greedy picks stay the same. Why?",
          field: choice(
            ["causal", "The first position sees only itself, so its scores never change"],
            ["cache", "The cache keeps the old scores"],
            ["limit", "The limit stops the scores from changing"],
          ),
          right: ({ kind }) => (kind === "wrongPlace" ? "causal" : "limit"),
          why: () => "A position sees no later token. However long the ids grow, row one stays what it was.",
          hint: "Which tokens may the first position look at?",
        },
      ],
    },
    {
      id: "place",
      title: "In the wrong place",
      text: [
        "A block can be there and still do harm. Here Tokenize stands inside the loop, as its first block.",
      ],
      sets: [
        prepare,
        blocksSet(
          "Put Tokenize into the loop",
          ["#loop", ...rightProgram.filter((name) => name !== "#loop")],
          "Tokenize is now the first block of the loop.",
        ),
      ],
      predict: { question: "What will this loop do?", field: outcomes, outcome: verdictOf, right: kindOf },
      loop: true,
      shows,
      questions: [
        {
          id: "like",
          question: "Which mistake does it look like from outside?",
          field: choice(["append", "A forgotten Append"], ["limit", "A forgotten limit"], ["last", "A forgotten last position"]),
          right: ({ kind }) => (kind === "repeats" ? "append" : kind === "runsOn" ? "limit" : "last"),
          why: () => "The ids are made anew from the prompt in each pass, so what was appended is gone again.",
          hint: "Compare the picked tokens with those of the steps before.",
        },
      ],
    },
    {
      id: "own",
      title: "Your own way to break it",
      text: ["Move anything anywhere, say what you expect, and run it."],
      sets: [prepare, blocksSet("The right order", rightProgram, "The blocks stand in the right order.")],
      loop: true,
      shows,
      questions: [
        {
          id: "note",
          question: "What did you move, what did you expect, and what happened?",
          field: words,
          why: ({ made }) => `The last run picked the ids ${listed(made ?? "of no run yet")}.`,
        },
      ],
    },
  ],
};
