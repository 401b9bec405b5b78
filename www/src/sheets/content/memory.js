/** Sheet 12: what a running request takes of memory, beyond the file of weights. */

import { shown } from "../checks.js";
import { choice, number, plain, words } from "./parts.js";

/** @import { Sheet } from "../types.js" */

const mebi = 2 ** 20;

/** @type {Sheet} */
export const memory = {
  name: "memory",
  title: "A budget of memory",
  about: "Weights, cache, activations, workspace: add them up, measure two of them, and mind the units.",
  minutes: 20,
  model: "any",
  steps: [
    {
      id: "sum",
      title: "“The weights fit”",
      text: [
        `An invented device has 8 GiB. Weights take 4 GiB, the cache ${plain(1.5)}, activations at their peak ${plain(0.75)}, workspace ${plain(0.5)}, everything else ${plain(0.5)}.`,
      ],
      sets: [{ id: "memory", label: "Open Memory", said: "The Memory panel is open below, with this example to edit.", panel: "memory" }],
      questions: [
        {
          id: "sum",
          question: "How much is that together?",
          field: number("GiB"),
          right: () => 4 + 1.5 + 0.75 + 0.5 + 0.5,
          why: () => "The weights are little more than half of it.",
          hint: "Add the five.",
        },
        {
          id: "left",
          question: "How much is left?",
          field: number("GiB"),
          right: () => 8 - (4 + 1.5 + 0.75 + 0.5 + 0.5),
          why: () => "A margin, no guarantee: each part is an estimate, and their peaks may meet.",
          hint: "From 8 GiB.",
        },
      ],
    },
    {
      id: "units",
      title: "MB and MiB",
      text: ["A MB has 10^6 bytes, a MiB has 2^20. The weights' file of this model has a length in bytes; the model's card tells it."],
      measure: { label: "Read the card", run: async ({ model }) => ({ bytes: model.card.report.bytes }) },
      shows: ({ bytes }) => [`The weights' files have ${shown(bytes)} bytes.`],
      questions: [
        {
          id: "mb",
          question: "How many MB are that? (Two decimals.)",
          field: number("MB"),
          right: ({ bytes }) => Number(bytes) / 1e6,
          tolerance: 0.006,
          why: () => "Download sizes are usually given so.",
          hint: "Divide by a million.",
        },
        {
          id: "mib",
          question: "And how many MiB? (Two decimals.)",
          field: number("MiB"),
          right: ({ bytes }) => Number(bytes) / mebi,
          tolerance: 0.006,
          why: () => "Memory is usually given so. With giga the two differ by 7 %.",
          hint: `Divide by ${plain(1_048_576)}.`,
        },
      ],
    },
    {
      id: "cache",
      title: "The cache of a full context",
      text: ["Cache bytes a token, times positions: it grows in a straight line with the text, and with each further request."],
      measure: {
        label: "Measure a token",
        run: async (bench) => {
          const run = await bench.generate({ maxNewTokens: 9 });
          return {
            perToken: run.memoryBytes.kvUsedBytes / (run.ids.length - 1),
            positions: bench.model.card.maxPositionEmbeddings,
            weights: run.memoryBytes.weightBytes,
          };
        },
      },
      shows: ({ perToken, positions, weights }) => [
        `${shown(perToken)} bytes a token, ${shown(positions)} positions at most; the weights take ${shown(weights)} bytes.`,
      ],
      questions: [
        {
          id: "full",
          question: "How many MiB does the cache take with its context full? (Two decimals.)",
          field: number("MiB"),
          right: ({ perToken, positions }) => (Number(perToken) * Number(positions)) / mebi,
          tolerance: 0.006,
          why: () => "For one request. Ten requests with full contexts take ten times that, and still only one copy of the weights.",
          hint: "Bytes a token times positions, over 2^20.",
        },
        {
          id: "requests",
          question: "From how many such requests on does the cache take more than the weights?",
          field: number("requests", "request"),
          right: ({ perToken, positions, weights }) =>
            Math.floor(Number(weights) / (Number(perToken) * Number(positions))) + 1,
          why: () => "That is why a service runs out of memory at night, when the weights have fitted all day.",
          hint: "Weights over the bytes of one full cache; the next whole number above it.",
        },
      ],
    },
    {
      id: "reserved",
      title: "Used and reserved",
      text: ["Memory is taken in larger pieces than are needed at once. The engine counts both: bytes that hold keys and values, and bytes that it has taken for them."],
      predict: {
        question: "After 9 new tokens, the reserved bytes are",
        field: choice(["equal", "equal to the used ones"], ["more", "more than the used ones"]),
        outcome: ({ used, reserved }) => `Used ${shown(used)}, reserved ${shown(reserved)}.`,
        right: ({ used, reserved }) => (used === reserved ? "equal" : "more"),
      },
      measure: {
        label: "Ask the engine",
        run: async (bench) => {
          const { memoryBytes } = await bench.generate({ maxNewTokens: 9 });
          return { used: memoryBytes.kvUsedBytes, reserved: memoryBytes.kvReservedBytes, wasm: memoryBytes.wasmBytes };
        },
      },
      questions: [
        {
          id: "who",
          question: "A program reports 60 MB of tensors, the system says that it takes 140 MB. Which is wrong?",
          field: choice(["neither", "Neither: they count different things"], ["system", "The system"], ["program", "The program"]),
          right: () => "neither",
          why: ({ wasm }) =>
            `Live numbers, reserved room, the process: three counts. ${wasm === undefined ? "" : `Here WebAssembly's memory as a whole has ${shown(wasm)} bytes.`}`,
          hint: "Think of used and reserved above.",
        },
      ],
    },
    {
      id: "peak",
      title: "The peak of loading",
      text: [
        "A loader that reads a file whole and then converts it holds two copies for a moment. What has to fit is the highest moment, not the steady state.",
        "This page passes the file on piece by piece, so that it is never whole in memory.",
      ],
      questions: [
        {
          id: "peak",
          question: "A 28 MB file is read whole and widened from F16 to F32, and the file is then dropped. The peak?",
          field: number("MB"),
          right: () => 28 + 2 * 28,
          why: () => "The file and twice its length beside it: three times what was downloaded.",
          hint: "What lies in memory just before the file is dropped?",
        },
        {
          id: "unseen",
          question: "Which of these can no web page see?",
          field: choice(
            ["device", "How much memory the device has free"],
            ["wasm", "How large its WebAssembly memory is"],
            ["tensors", "How many bytes its tensors have"],
          ),
          right: () => "device",
          why: () => "A browser tells a coarse figure of the whole memory at best. The panel marks what is unknown.",
          hint: "Which two does the page own itself?",
        },
        {
          id: "own",
          question: "Write a budget for a model of your choice and four requests at once. Which part are you least sure of?",
          field: words,
          why: () => "Usually it is activations and workspace: measure their peak.",
        },
      ],
    },
  ],
};
