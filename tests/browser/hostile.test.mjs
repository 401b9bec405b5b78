/** Text and calls from anywhere: nothing becomes markup, nothing blocks the engine, and every fault is a sentence. */
import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { dist, fixtures, noStandIn, openLab, openPage } from "./harness.mjs";

const IMAGE = "<img/src=x/onerror=hit=1>";

describe("hostile input", () => {
  /** @type {Awaited<ReturnType<typeof openLab>>} */
  let lab;
  /** @type {string} */
  let folder;
  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), "logit-lab-hostile-"));
    const standIn = path.dirname(process.env.LOGIT_LAB_STAND_IN ?? ".");
    lab = await openLab({
      folders: {
        "/tiny/": path.join(fixtures, "tiny"),
        "/made/": folder,
        "/stand-in/": standIn,
        "/pythia/": path.join(fixtures, "pythia-14m"),
      },
    });
    await openPage(lab.browser, `${lab.server.url}?model=tales-2m`);
  });
  after(async () => {
    await lab?.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Puts a text into the prompt as a script does, whatever characters it has. @param {string} expression */
  const setPrompt = (expression) =>
    lab.browser.run(
      `const field = document.getElementById("prompt");
       field.value = ${expression};
       field.dispatchEvent(new Event("input", { bubbles: true }));`,
    );
  const textOf = (/** @type {string} */ id) =>
    lab.browser.run("return document.getElementById(args[0])?.textContent ?? '';", id);
  const hasMarkup = () =>
    lab.browser.run("return [...document.querySelectorAll('img')].length > 0 || window.hit !== undefined;");
  const tokensShown = (/** @type {string} */ words) =>
    lab.browser.waitFor(`tokens with ${words}`, async () => (await textOf("tokens")).includes(words));

  test("markup_in_the_prompt_stays_text", async () => {
    await setPrompt(JSON.stringify(`Once ${IMAGE} upon`));
    await tokensShown("img");
    await lab.browser.click("button", "Generate");
    await lab.browser.waitFor("text", async () => (await textOf("text-note")).includes("token"));
    assert.equal(await hasMarkup(), false);
  });

  test("markup_from_a_tokenizer_stays_text", async () => {
    const tokenizer = JSON.parse(await readFile(path.join(dist, "models/tales-2m/tokenizer.json"), "utf8"));
    const [id] = await lab.browser.run(
      "return (await logitLab.generate({ prompt: 'Once upon', settings: { greedy: true }, maxNewTokens: 1 })).newIds;",
    );
    const { vocab, merges } = tokenizer.model;
    const [name] = /** @type {[string, number]} */ (Object.entries(vocab).find(([, value]) => value === id));
    delete vocab[name];
    vocab[IMAGE] = id;
    tokenizer.model.merges = merges.filter((/** @type {string | string[]} */ merge) => {
      const [a, b] = Array.isArray(merge) ? merge : merge.split(" ");
      return ![a, b, a + b].includes(name);
    });
    await writeFile(path.join(folder, "tokenizer.json"), JSON.stringify(tokenizer));
    for (const file of ["config.json", "model.safetensors"]) {
      await writeFile(path.join(folder, file), await readFile(path.join(dist, "models/tales-2m", file)));
    }
    await lab.browser.run("await logitLab.loadModel({ base: '/made/' });");
    await setPrompt("'Once upon'");
    await lab.browser.waitFor("the bars", async () => (await textOf("bars-panel")).includes(IMAGE));
    await lab.browser.run("document.getElementById('greedy')?.click();");
    await lab.browser.click("button", "Generate");
    await lab.browser.waitFor("the text", async () => (await textOf("text-panel")).includes(IMAGE));
    assert.equal(await hasMarkup(), false);
    await lab.browser.run("await logitLab.loadModel({ model: 'tales-2m' });");
  });

  test("lone_surrogates_and_control_characters_are_read_as_the_engine_can", async () => {
    const ids = (/** @type {string} */ text) => lab.browser.run(`return (await logitLab.tokenize(${text})).ids;`);
    assert.deepEqual(await ids('"a\\ud800b"'), await ids('"a\\ufffdb"'));
    assert.deepEqual(await ids('"\\udc00"'), await ids('"\\ufffd"'));
    assert.ok((await ids('"\\u0000\\u0007\\u001b[31m\\u202e\\u2028"')).length > 5);
    await setPrompt('"The \\ud800\\u0000\\u0007\\u202e cat"');
    await tokensShown("cat");
    await lab.browser.click("button", "Generate");
    await lab.browser.waitFor("text", async () => (await textOf("text-note")).includes("token"));
  });

  test("a_megabyte_of_text_is_refused_in_words_and_the_engine_goes_on", async () => {
    await setPrompt('"a".repeat(1 << 20)');
    await lab.browser.waitFor("the sentence", async () => /1048576 bytes of text/.test(await textOf("problems")));
    assert.match(await textOf("problems"), /1 to 512 tokens/);
    await setPrompt("'Once upon a time'");
    await tokensShown("time");
    await assert.rejects(
      lab.browser.run("await logitLab.generate({ prompt: 'b'.repeat(1 << 20) });"),
      { code: "context" },
    );
  });

  test("nested_arguments_are_an_error_and_the_engine_goes_on", async () => {
    for (const depth of [100, 1500]) {
      await assert.rejects(
        lab.browser.run(
          `let deep = [];
           for (let n = 0; n < args[0]; n += 1) deep = [deep];
           await logitLab.generate({ ids: [1], settings: { chain: deep } });`,
          depth,
        ),
        { code: "command" },
      );
    }
    await assert.rejects(
      lab.browser.run(
        `let deep = {};
         for (let n = 0; n < 1500; n += 1) deep = { deep };
         await logitLab.generate({ ids: [1], seed: deep });`,
      ),
      { code: "command" },
    );
    assert.equal((await lab.browser.run("return await logitLab.logits({ ids: [1] });")).length, 4096);
  });

  test("files_that_nest_a_hundred_thousand_deep_are_refused_in_words", async () => {
    for (const depth of [100, 100_000]) {
      const codes = await lab.browser.run(
        `const deep = "[".repeat(args[0]) + "]".repeat(args[0]);
         const config = await (await fetch("/tiny/relu/config.json")).text();
         const header = '{"t":{"shape":' + deep + "}}";
         const length = new Uint8Array(new BigUint64Array([BigInt(header.length)]).buffer);
         const file = (name, ...parts) => new File(parts, name);
         const attempts = [
           [file("config.json", '{"rope_scaling":' + deep + "}"), file("model.safetensors", "x")],
           [file("config.json", config), file("tokenizer.json", '{"decoder":' + deep + "}"), file("model.safetensors", "x")],
           [file("config.json", config), file("model.safetensors", length, header)],
           [file("config.json", config), file("model.safetensors.index.json", '{"weight_map":' + deep + "}"),
             file("a.safetensors", "x"), file("b.safetensors", "x")],
         ];
         const codes = [];
         for (const files of attempts) codes.push(await logitLab.loadModel({ files }).then(() => "loaded", ({ code }) => code));
         return codes;`,
        depth,
      );
      assert.deepEqual(codes, ["config", "tokenizer", "checkpoint", "checkpoint"]);
    }
    assert.equal((await lab.browser.run("return await logitLab.logits({ ids: [1] });")).length, 4096);
  });

  test("a_context_of_2048_takes_2047_and_2048_tokens_and_not_2049", { skip: noStandIn }, async () => {
    const made = await lab.browser.run(
      `const files = [];
       const sources = { "config.json": "/pythia/config.json", "model.safetensors": "/stand-in/" + args[0] };
       for (const [name, address] of Object.entries(sources)) {
         files.push(new File([await (await fetch(address)).arrayBuffer()], name));
       }
       await logitLab.loadModel({ files });
       const answers = [];
       for (const length of [2047, 2048, 2049]) {
         const ids = new Array(length).fill(510);
         const call = logitLab.generate({ ids, maxNewTokens: 5, settings: { greedy: true }, eosId: null });
         answers.push(await call.then(({ newIds, stopReason }) => [newIds.length, stopReason], ({ code, message }) => [code, message]));
       }
       return answers;`,
      path.basename(process.env.LOGIT_LAB_STAND_IN ?? ""),
    );
    assert.deepEqual(made.slice(0, 2), [
      [1, "contextFull"],
      [0, "contextFull"],
    ]);
    assert.equal(made[2][0], "context");
    assert.match(made[2][1], /1 to 2048 tokens, found 2049/);
  });
});
