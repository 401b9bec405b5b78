/** Which hosts a page contacts, and from where it works. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { startServer } from "./server.mjs";
import { fixtures, openLab, openPage } from "./harness.mjs";

test("the_bundled_model_needs_no_other_host_and_any_folder_will_do", async (t) => {
  const { server, browser, close } = await openLab({ prefix: "/course/week 3/" });
  t.after(close);
  const hub = await startServer({ root: fixtures, hub: fixtures });
  t.after(() => hub.close());
  const hubAddress = `hub=${encodeURIComponent(`${hub.origin}/hub`)}`;

  await openPage(browser, `${server.url}?model=tales-2m&${hubAddress}`);
  const { newIds } = await browser.run(
    "return await logitLab.generate({ prompt: 'Once', maxNewTokens: 5, ignoreEos: true });",
  );
  assert.equal(newIds.length, 5);

  // Another model is offered from the hub, and the hub hears nothing until somebody asks for it.
  await openPage(browser, `${server.url}?${hubAddress}`);
  await browser.run("await logitLab.tokenize('x');");

  const hosts = await browser.run(
    `const addresses = performance.getEntriesByType("resource").map(({ name }) => new URL(name));
     return addresses.filter(({ protocol }) => protocol.startsWith("http")).map(({ origin }) => origin);`,
  );
  assert.deepEqual([...new Set(hosts)], [server.origin]);
  assert.deepEqual(hub.requests, []);
  const astray = server.requests.filter(({ path }) => !path.startsWith("/course/week 3/") && path !== "/favicon.ico");
  assert.deepEqual(astray, []);
});
