/** Sheet 6: an end token, a budget and a stop string end a text in three different places of the machinery. */

import { shown } from "../checks.js";
import { choice, number, quoted, scale, story, words } from "./parts.js";

/** @import { Sheet } from "../types.js" */

const reasons = scale(
  ["endToken", "The end token"],
  ["maxNewTokens", "The budget of new tokens"],
  ["stopString", "A stop string"],
  ["contextFull", "The full context"],
);

/** @type {Sheet} */
export const stopping = {
  name: "stopping",
  title: "Three ways to stop",
  about: "The model's end token, the caller's budget and a stop string are three mechanisms; tell them apart.",
  minutes: 15,
  model: "any",
  steps: [
    {
      id: "budget",
      title: "The budget",
      text: [
        "The caller says how many new tokens there may be. The model knows nothing of it.",
      ],
      sets: [
        {
          id: "budget",
          label: "Set a budget of 5 and run",
          said: "Set: Greedy, 5 new tokens, the end token ignored. It runs now.",
          prompt: story,
          controls: { greedy: true, maxNewTokens: 5, ignoreEos: true },
          generate: true,
        },
      ],
      predict: {
        question: "Where will the text end?",
        field: choice(["sentence", "At the end of a sentence"], ["middle", "Wherever the fifth token happens to end"]),
        outcome: ({ text }) => `After the fifth token: ${quoted(text)}`,
        right: ({ text }) => (/[.!?]["”]?\s*$/.test(String(text)) ? "sentence" : "middle"),
      },
      measure: {
        label: "Run it",
        run: async (bench) => {
          const run = await bench.generate({ maxNewTokens: 5 });
          return { text: run.text, reason: run.stopReason, tokens: run.newIds.length };
        },
      },
      questions: [
        {
          id: "reason",
          question: "What ended it?",
          field: reasons,
          right: ({ reason }) => String(reason),
          why: () => "The text is cut off, not finished. A reader cannot tell unless the program says so.",
          hint: "The line of counts on the page names the reason.",
        },
      ],
    },
    {
      id: "end-token",
      title: "The end token",
      text: [
        "The end token is an id like any other; training made it likely where texts ended. Which id counts as the end is a setting of the loop.",
        "To see it act at once, this step declares another id to be the end: the one that the model picks as its fourth token.",
      ],
      predict: {
        question: "How many new ids will that run have, the end token included?",
        field: number("ids", "id"),
        outcome: ({ tokens, text, budget }) => `${shown(tokens)} of at most ${shown(budget)}. The text has ${quoted(text)}, without the end token.`,
        right: ({ tokens }) => Number(tokens),
      },
      measure: {
        label: "Declare it and run",
        run: async (bench) => {
          const free = await bench.generate({ maxNewTokens: 16 });
          const eosId = free.newIds[3];
          const run = await bench.generate({ maxNewTokens: 16, eosId, ignoreEos: false });
          const ignored = await bench.generate({ maxNewTokens: 16, eosId, ignoreEos: true });
          return {
            tokens: run.newIds.length,
            text: run.text,
            reason: run.stopReason,
            budget: 16,
            ignored: ignored.newIds.length,
            ignoredReason: ignored.stopReason,
          };
        },
      },
      questions: [
        {
          id: "reason",
          question: "What ended it?",
          field: reasons,
          right: ({ reason }) => String(reason),
          why: () => "The model picked an id, and the loop knew it for the end.",
          hint: "The budget was 16.",
        },
        {
          id: "ignored",
          question: "The same run with “ignore the end token” switched on: how many new ids?",
          field: number("ids", "id"),
          right: ({ ignored }) => Number(ignored),
          why: () => "The id is picked all the same, and the loop goes on up to the budget.",
          hint: "Then only the budget of 16 is left.",
        },
      ],
    },
    {
      id: "stop-string",
      title: "The stop string",
      text: [
        "A stop string is looked for in the text, not in the ids. It may lie across two tokens, or end in the middle of one.",
        "This step takes one from the model's own greedy text: a few letters out of the middle of a token.",
      ],
      predict: {
        question: "Will the stop string itself be in the text that is handed over?",
        field: choice(["no", "No, the text ends before it"], ["yes", "Yes, the text ends with it"]),
        outcome: ({ stop, text, inside }) => `The stop string was ${quoted(stop)}. The text is ${quoted(text)}: ${inside ? "it is in there." : "it is not in there."}`,
        right: ({ inside }) => (inside ? "yes" : "no"),
      },
      measure: {
        label: "Set it and run",
        run: async (bench) => {
          const free = await bench.generate({ maxNewTokens: 16 });
          const text = free.text ?? "";
          const word = /\p{L}{3,}/u.exec(text.slice(Math.floor(text.length / 3)))?.[0] ?? text.slice(-3);
          const stop = word.slice(1, 3) || text.slice(0, 2);
          const run = await bench.generate({ maxNewTokens: 16, stop: [stop] });
          return {
            stop,
            text: run.text,
            inside: (run.text ?? "").includes(stop),
            reason: run.stopReason,
            tokens: run.newIds.length,
          };
        },
      },
      questions: [
        {
          id: "reason",
          question: "What ended it?",
          field: reasons,
          right: ({ reason }) => String(reason),
          why: ({ tokens }) => `After ${shown(tokens)} picked ids. The last of them is not wholly in the text.`,
          hint: "Neither an id nor a count was the cause.",
        },
        {
          id: "who",
          question: "Who has to hold back text while it streams, because a stop string may be under way?",
          field: choice(["app", "The program around the model"], ["model", "The model"], ["tokenizer", "The tokenizer"]),
          right: () => "app",
          why: () => "The model gave its scores long before. Looking for strings is the loop's business.",
          hint: "Who knows about strings at all?",
        },
      ],
    },
    {
      id: "context",
      title: "The wall",
      text: [
        "Without any of the three, a text ends where the model has no position left for another token. The model's card tells how many it has.",
      ],
      measure: { label: "Read the card", run: async ({ model }) => ({ positions: model.card.maxPositionEmbeddings }) },
      questions: [
        {
          id: "positions",
          question: "How many positions does this model have, prompt and text together?",
          field: number("positions", "position"),
          right: ({ positions }) => Number(positions),
          why: () => "This page stops there and says so. Other programs throw, or drop the beginning without a word.",
          hint: "Look for the context in the model's card at the bottom.",
        },
      ],
    },
    {
      id: "choose",
      title: "Whose decision?",
      text: ["Three cases from practice."],
      questions: [
        {
          id: "bill",
          question: "A service must never pay for more than 200 tokens an answer. What guarantees that?",
          field: reasons,
          right: () => "maxNewTokens",
          why: () => "Only the budget counts. The two others may come late or never.",
          hint: "Which of them comes surely?",
        },
        {
          id: "line",
          question: "A form field takes one line. What ends the text at the end of the first line?",
          field: reasons,
          right: () => "stopString",
          why: () => "A line break as stop string. A budget beside it is still wise.",
          hint: "The end of a line is something in the text.",
        },
        {
          id: "finished",
          question: "Which of them says that the model regards the text as finished?",
          field: reasons,
          right: () => "endToken",
          why: () => "It is the only one that the model itself picks.",
          hint: "Which one is picked like any other token?",
        },
        {
          id: "own",
          question: "Which of the three would your own product use, and for what?",
          field: words,
          why: () => "Most use all three, and tell their users which one ended the text.",
        },
      ],
    },
  ],
};
