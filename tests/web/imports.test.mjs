/** Which module of the page may know which: arrows that point one way, and no circle. Imports of types alone do not count. */
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { importsOf, reachedFrom, readModules } from "./import-graph.mjs";

const source = fileURLToPath(new URL("../../www/src", import.meta.url));
/** What the page and its workers begin with; workers are started by address, not by import. */
const ENTRIES = ["main.js", "worker.js", "models/verify-worker.js"];
/** words/language.js makes their addresses. */
const OTHER_LANGUAGE = /^words\/[a-z]+\//;
/** Beside the views themselves: who puts them on the page. */
const MAY_SHOW = ["main.js", "panels.js", "labs.js"];

/**
 * A way through the imports that ends where it began, if there is one.
 *
 * @param {Map<string, string[]>} graph
 * @returns {string[] | null}
 */
function circleIn(graph) {
  /** @type {Set<string>} */
  const done = new Set();
  /** @param {string} name @param {string[]} way @returns {string[] | null} */
  const walk = (name, way) => {
    if (way.includes(name)) return [...way.slice(way.indexOf(name)), name];
    if (done.has(name)) return null;
    for (const next of graph.get(name) ?? []) {
      const circle = walk(next, [...way, name]);
      if (circle) return circle;
    }
    done.add(name);
    return null;
  };
  for (const name of graph.keys()) {
    const circle = walk(name, []);
    if (circle) return circle;
  }
  return null;
}

describe("the modules of the page", () => {
  /** @type {Map<string, string>} without comments, by path below www/src */
  let texts;
  /** @type {Map<string, string[]>} */
  let graph;
  before(async () => {
    ({ texts, graph } = await readModules(source));
    assert.ok(graph.size > 150 && graph.get("panels.js")?.includes("views/ab.js"), "all were read, late imports too");
  });

  test("no_module_comes_back_to_itself_through_its_imports", () => {
    assert.equal(circleIn(graph)?.join(" -> "), undefined);
  });

  test("every_module_is_reached_from_the_page_or_from_a_worker", () => {
    const reached = reachedFrom(graph, ENTRIES);
    assert.deepEqual([...graph.keys()].filter((name) => !reached.has(name) && !OTHER_LANGUAGE.test(name)), []);
  });

  test("views_are_known_to_views_and_to_those_who_mount_them_only", () => {
    const knowing = [...graph].filter(([, targets]) => targets.some((target) => target.startsWith("views/"))).map(([name]) => name);
    assert.deepEqual(knowing.filter((name) => !name.startsWith("views/") && !MAY_SHOW.includes(name)), []);
  });

  test("the_state_knows_no_document_no_network_no_clock_and_no_chance", () => {
    const reached = reachedFrom(graph, ["state.js"]);
    assert.ok(reached.size > 15);
    for (const name of reached) {
      const found = /\b(document|window|fetch|localStorage|postMessage|performance|Date|Math\.random|crypto)\b[.(]/.exec(texts.get(name) ?? "");
      assert.equal(found?.[0], undefined, name);
    }
  });

  test("what_is_loaded_late_comes_one_after_the_other", () => {
    // Two at once, of which both have words that wait for their language, break each other in WebKit (in-turn.js).
    for (const [name, text] of texts) {
      const late = [...text.matchAll(/(.{0,16})\bimport\(\s*"(\.[^"]+)"/g)].filter(([, , address]) => !address.includes("vendor/"));
      if (name === "panels.js") assert.ok(late.length > 10 && texts.get("labs.js")?.includes("inTurn(load)"));
      else for (const [, before] of late) assert.match(before, /inTurn\(\(\) => $/, name);
    }
  });

  test("the_engine_is_loaded_by_workers_only", () => {
    const loading = [...texts].filter(([, text]) => text.includes("logit-lab-web.js")).map(([name]) => name);
    assert.deepEqual(loading.sort(), ["models/verify-worker.js", "worker.js"]);
    for (const worker of loading) assert.ok(!reachedFrom(graph, ["main.js"]).has(worker), worker);
  });
});

test("a_circle_is_found_where_there_is_one", () => {
  const arrows = { a: ["b", "c"], b: ["c"], c: [] };
  assert.equal(circleIn(new Map(Object.entries(arrows))), null);
  assert.deepEqual(circleIn(new Map(Object.entries({ ...arrows, c: ["b"] }))), ["b", "c", "b"]);
  assert.deepEqual(importsOf('import "./a.js";\n/** @import { T } from "./type.js" */\nconst b = () => import("./b.js");'), {
    atOnce: ["./a.js"],
    later: ["./b.js"],
  });
});
