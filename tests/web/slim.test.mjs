/** What the build takes out of the page's own code. */
import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { test } from "node:test";
import { slim, withoutComments } from "../../scripts/slim.mjs";

const CODE = `/** What it is. @param {string} name */
export const view = (name) => html\`<p>
  // not a comment: \${name} …
</p>\`; // why
`;

test("comments_go_and_what_is_shown_stays_to_the_letter", async () => {
  const code = await withoutComments(CODE, "js");
  assert.ok(!code.includes("What it is") && !code.includes("why"), code);
  assert.ok(code.includes("html`<p>\n  // not a comment: ${name} …\n</p>`"), code);
  assert.match(code, /export/);
  assert.doesNotMatch(await withoutComments("/* why */\n.a {\n  color: red;\n}\n", "css"), /why/);
});

test("code_and_styles_of_the_page_are_slimmed_and_libraries_left_alone", async (t) => {
  const dist = await mkdtemp(path.join(os.tmpdir(), "logit-lab-slim-"));
  t.after(() => rm(dist, { recursive: true }));
  const files = { "src/views/a.js": CODE, "src/types.d.ts": "/** why */", "styles/a.css": "/* why */ .a { top: 0 }", "vendor/b.js": "/*! licence */" };
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(dist, name)), { recursive: true });
    await writeFile(path.join(dist, name), text);
  }
  await slim(dist);
  const after = await Promise.all(Object.keys(files).map((name) => readFile(path.join(dist, name), "utf8")));
  assert.deepEqual(after.map((text, n) => text === Object.values(files)[n]), [false, true, false, true]);
});
