/** Every small checkpoint of the fixtures, loaded as a folder by its address. */
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { fixtures, largestDifference, openLab, openPage, readFixture } from "./harness.mjs";

describe("checkpoints loaded by address", () => {
  /** @type {Awaited<ReturnType<typeof openLab>>} */
  let lab;

  before(async () => {
    lab = await openLab();
    await openPage(lab.browser, `${lab.server.url}?model=tales-2m`);
  });
  after(() => lab?.close());

  for (const name of readdirSync(path.join(fixtures, "tiny"))) {
    test(`${name}_equals_the_reference`, async () => {
      const { cases } = await readFixture(`tiny/${name}/expected.json`);
      const report = await lab.browser.run("return await logitLab.loadModel({ base: args[0] });", `/tiny/${name}/`);
      assert.equal(report.hasTokenizer, false);
      assert.ok(
        report.files.some((/** @type {any} */ file) => file.name.endsWith(".safetensors") && file.sha256.length === 64),
      );
      for (const { input_ids, logits_last, logits_all, greedy_24 } of cases) {
        const last = await lab.browser.run("return await logitLab.logits({ ids: args[0] });", input_ids);
        assert.ok(largestDifference(last, logits_last) < 1e-4, `last of ${input_ids.length}`);
        if (logits_all) {
          const all = await lab.browser.run(
            'return await logitLab.logits({ ids: args[0], positions: "all" });',
            input_ids,
          );
          assert.ok(largestDifference(all, logits_all.flat()) < 1e-4, "all positions");
        }
        if (greedy_24) {
          // The reference took id 0 for padding here and hid it; the logits above were computed with it.
          const ids = input_ids.filter((/** @type {number} */ id) => id !== 0);
          const options = { ids, settings: { greedy: true }, maxNewTokens: 24, eosId: null };
          const { newIds } = await lab.browser.run("return await logitLab.generate(args[0]);", options);
          assert.deepEqual(newIds, greedy_24);
        }
      }
    });
  }

  test("text_calls_without_a_tokenizer_are_an_error_in_words", async () => {
    await lab.browser.run("await logitLab.loadModel({ base: args[0] });", "/tiny/relu");
    await assert.rejects(lab.browser.run("return await logitLab.tokenize('x');"), { code: "tokenizer" });
  });

  test("a_folder_without_a_model_leaves_the_present_one_in_use", async () => {
    await lab.browser.run("await logitLab.loadModel({ base: args[0] });", "/tiny/relu/");
    await assert.rejects(lab.browser.run("await logitLab.loadModel({ base: '/nothing/' });"), { code: "httpStatus" });
    assert.equal((await lab.browser.run("return await logitLab.logits({ ids: [1, 2] });")).length, 96);
  });

  test("chosen_files_load_like_a_folder", async () => {
    const report = await lab.browser.run(
      `const files = [];
       const shards = ["model-00002-of-00002.safetensors", "model-00001-of-00002.safetensors"];
       for (const name of [...shards, "config.json", "model.safetensors.index.json"]) {
         const answer = await fetch("/tiny/sharded/" + name);
         files.push(new File([await answer.arrayBuffer()], name));
       }
       return await logitLab.loadModel({ files });`,
    );
    assert.equal(report.origin, "files");
    assert.equal(report.files.length, 4);
  });
});
