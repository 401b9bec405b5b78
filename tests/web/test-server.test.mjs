/** The server of the browser tests, where it stands in for a proxy. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import test from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { startServer } from "../browser/server.mjs";

test("it_closes_though_a_tunnel_that_it_refused_is_held_open_at_the_other_end", async (t) => {
  const root = await mkdtemp(path.join(os.tmpdir(), "logit-lab-server-"));
  t.after(() => rm(root, { recursive: true }));
  const server = await startServer({ root });
  const port = Number(new URL(server.origin).port);
  const client = net.connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  t.after(() => client.destroy());
  client.write("CONNECT somewhere.test:443 HTTP/1.1\r\nHost: somewhere.test:443\r\n\r\n");
  assert.match(String((await once(client, "data"))[0]), /^HTTP\/1\.1 502 /);
  const closed = server.close().then(() => "closed");
  assert.equal(await Promise.race([closed, sleep(10_000, "still open", { ref: false })]), "closed");
});

test("a_browser_that_goes_away_before_its_tunnel_is_refused_ends_nothing", async (t) => {
  const root = await mkdtemp(path.join(os.tmpdir(), "logit-lab-server-"));
  t.after(() => rm(root, { recursive: true }));
  const server = await startServer({ root });
  t.after(() => server.close());
  for (let times = 0; times < 20; times += 1) {
    const client = net.connect(Number(new URL(server.origin).port), "127.0.0.1");
    await once(client, "connect");
    client.write("CONNECT somewhere.test:443 HTTP/1.1\r\nHost: somewhere.test:443\r\n\r\nhello");
    client.resetAndDestroy();
    await once(client, "close");
  }
  const { status } = await fetch(`${server.origin}/nothing`);
  assert.equal(status, 404);
  assert.ok(server.tunnels.includes("somewhere.test:443"));
});
