import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { startServer } from "../browser/server.mjs";
import { sha256 } from "./fakes.mjs";

const scripts = fileURLToPath(new URL("../../scripts/", import.meta.url));

test("the_script_fetches_checks_and_goes_on_where_it_was_cut_off", async (t) => {
  const clone = await mkdtemp(path.join(os.tmpdir(), "logit-lab-clone-"));
  const hub = path.join(clone, "hub");
  const folder = path.join(clone, "www/models/pythia-14m");
  for (const name of ["hub", "scripts", "www/models"]) await mkdir(path.join(clone, name), { recursive: true });
  for (const name of ["env.sh", "fetch-pythia.sh"]) await copyFile(scripts + name, path.join(clone, "scripts", name));
  /** @type {Record<string, Buffer>} */
  const content = { "config.json": Buffer.from("{}"), "model.safetensors": Buffer.alloc(300_000, "weights") };
  for (const [name, bytes] of Object.entries(content)) await writeFile(path.join(hub, name), bytes);
  const locked = Object.entries(content).map(([name, bytes]) => [name, { bytes: bytes.length, sha256: sha256(bytes) }]);
  const entry = { id: "pythia-14m", hub: { repository: "a/b", revision: "c" }, files: Object.fromEntries(locked) };
  const catalogue = JSON.stringify({ hub: "https://hub.invalid", models: [entry] });
  await writeFile(path.join(clone, "www/models/catalogue.json"), catalogue);
  const server = await startServer({ root: hub, hub });
  t.after(async () => {
    await server.close();
    await rm(clone, { recursive: true });
  });
  const run = () =>
    promisify(execFile)("bash", [path.join(clone, "scripts/fetch-pythia.sh")], {
      env: { ...process.env, LOGIT_LAB_HUB: `${server.origin}/hub` },
    });

  server.misbehave({ at: "model.safetensors", cutAfter: 100_000, times: 1 });
  await assert.rejects(run(), { code: 1, stderr: /model\.safetensors could not be fetched .* go on where it stopped/ });
  assert.deepEqual(await readdir(folder), ["model.safetensors.part"]);
  server.misbehave({ at: "config.json", flipByte: 0, times: 1 });
  await assert.rejects(run(), { code: 1, stderr: /config\.json has the right length and the wrong content/ });
  assert.equal(server.requests[1].range, "bytes=100000-");
  server.misbehave({ at: "config.json", html: true, times: 1 });
  await assert.rejects(run(), { code: 1, stderr: /config\.json should have 2 bytes and came with/ });
  await run();
  for (const [name, bytes] of Object.entries(content)) assert.deepEqual(await readFile(path.join(folder, name)), bytes);
  const asked = server.requests.length;
  await run();
  assert.equal(server.requests.length, asked);
});
