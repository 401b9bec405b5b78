/** Which module of the page may know which: arrows that point one way, and no circle. Imports of types alone do not count. */
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { parse } from "acorn";
import { ancestor } from "acorn-walk";
import { importsOf, reachedFrom, readModules } from "./import-graph.mjs";

const source = fileURLToPath(new URL("../../www/src", import.meta.url));
/** What the page and its workers begin with; workers are started by address, not by import. */
const ENTRIES = ["main.js", "worker.js", "models/verify-worker.js"];
/** words/language.js makes their addresses. */
const OTHER_LANGUAGE = /^words\/other\//;
/** Beside the views themselves: who puts them on the page. */
const MAY_SHOW = ["page.js", "panels.js", "labs.js"];

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

/** @param {string} code */
function waitsAtItsTop(code) {
  let found = false;
  ancestor(parse(code, { ecmaVersion: "latest", sourceType: "module" }), {
    AwaitExpression(_, __, above) {
      if (!above.some(({ type }) => type.includes("Function"))) found = true;
    },
  });
  return found;
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

  test("no_module_that_another_imports_at_once_waits_at_its_top_level", () => {
    // Two parts that share such a module and are loaded at the same time break each other in WebKit (words/language.js).
    assert.deepEqual([...texts].filter(([, text]) => waitsAtItsTop(text)).map(([name]) => name), ["main.js", "page.js"]);
  });

  test("the_engine_is_loaded_by_workers_only", () => {
    const loading = [...texts].filter(([, text]) => text.includes("logit-lab-web.js")).map(([name]) => name);
    assert.deepEqual(loading.sort(), ["models/verify-worker.js", "worker.js"]);
    for (const worker of loading) assert.ok(!reachedFrom(graph, ["main.js", "page.js"]).has(worker), worker);
  });
});

test("waiting_at_the_top_is_told_from_waiting_in_a_function", () => {
  assert.ok(waitsAtItsTop("export const a = await b();"));
  assert.ok(waitsAtItsTop("for (const a of b) { await a; }"));
  assert.ok(!waitsAtItsTop("export const a = async () => await b(); async function c() { await a(); }"));
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
