/** For a reader of decimal commas: what the page writes it reads back, and files keep the point. */
import assert from "node:assert/strict";
import { test } from "node:test";

// Before anything of the page is loaded.
Object.defineProperty(globalThis, "navigator", { value: { languages: ["de-DE", "en"] }, configurable: true });
const { updateAb, initialAb } = await import("../../www/src/ab/state.js");
const { usualConfiguration } = await import("../../www/src/ab/configuration.js");
const { differenceSentence } = await import("../../www/src/ab/verdict.js");
const { allDigits, count } = await import("../../www/src/format.js");
const { bothUnits, gib } = await import("../../www/src/memory-lab/numbers.js");
const { parseNumber: parseBits, parseWhole } = await import("../../www/src/precision/state.js");
const { changesBetween } = await import("../../www/src/records/difference.js");
const { runsCsv, tokensCsv } = await import("../../www/src/records/csv.js");
const { keptRecord } = await import("../../www/src/records/state.js");
const { settingsWords } = await import("../../www/src/records/words.js");
const { faultOf, parseNumber, shown } = await import("../../www/src/sheets/checks.js");
const { listed } = await import("../../www/src/sheets/content/parts.js");
const { sheets } = await import("../../www/src/sheets/index.js");
const { ms } = await import("../../www/src/timing/words.js");
const { run, sampleRecord, sampling } = await import("./records-fixture.mjs");

test("numbers_of_the_page_and_those_with_a_point_are_read_back", () => {
  for (const value of [7, 4096, 1_048_576, -12_345, 0.53, 3.25]) assert.equal(parseNumber(shown(value)), value, shown(value));
  assert.equal(count(4096), "4.096");
  const cases = { "0,5": 0.5, "0.5": 0.5, "4.096": 4096, "4,096": 4.096, "1.048.576,5": 1_048_576.5, "12,5 %": 0.125, "1 048 576": 1_048_576 };
  for (const [text, value] of Object.entries(cases)) assert.equal(parseNumber(text), value, text);
  assert.ok(Number.isNaN(parseNumber("1.2.3")));
  assert.equal(faultOf({ kind: "number" }, "many"), "That is not read as a number: 12, 0,5, 8/15 and 40 % are.");
});

test("a_sheet_writes_its_own_numbers_as_the_reader_does", () => {
  const texts = sheets.flatMap(({ steps }) => steps.flatMap(({ text, predict, questions }) => [...text, predict?.question ?? "", ...(questions ?? []).flatMap(({ question, hint }) => [question, hint ?? ""])]));
  assert.deepEqual(texts.filter((text) => /\d\.\d(?!\d{2}\b)/.test(text)), []);
  assert.ok(texts.some((text) => text.includes("1.200 ms")));
  assert.equal(listed([1.5, 2]), "1,5; 2");
  assert.equal(listed([3, 4]), "3, 4");
});

test("a_record_has_commas_on_the_page_and_points_in_its_files", () => {
  const warm = sampleRecord({ runs: [run({ sampling: sampling({ chain: [{ kind: "temperature", value: 1.5 }] }) })] });
  assert.deepEqual(changesBetween(sampleRecord(), warm).map(({ before, after }) => [before, after]), [["0,8", "1,5"]]);
  assert.match(settingsWords(warm), /temperature 1,5/);
  assert.match(runsCsv([keptRecord(1, warm)]), /"temperature 1\.5".*,400\r\n$/s);
  assert.match(tokensCsv(warm), /\r\n1,6,"·a",0\.25,1,0\.2,false,2,0\.5\r\n/);
});

test("the_labs_write_every_digit_with_a_comma_and_read_it_back", () => {
  for (const value of [0.1, Math.fround(0.1), 1025 / 1024, -0.3, 3]) assert.equal(parseBits(allDigits(value)), value, allDigits(value));
  assert.deepEqual([allDigits(Math.fround(0.1)), allDigits(-5e-8), allDigits(1 / 3, 5)], ["0,10000000149011612", "−5 × 10^−8", "0,33333"]);
  assert.equal(parseWhole(count(2 ** 20)), 2 ** 20);
  const typed = updateAb(initialAb([usualConfiguration, usualConfiguration]), { type: "planTyped", name: "newTokens", text: "1.024" });
  assert.deepEqual([typed.plan.newTokens, typed.faults], [1024, {}]);
});

test("the_labs_figures_are_written_as_the_reader_writes_them", () => {
  assert.deepEqual([bothUnits(2 ** 20), gib(8 - 7.9 - 0.1), ms(1.234)], ["1,05 MB (1,00 MiB)", "0 GiB", "1,23 ms"]);
  const difference = { value: 3.1e-5, id: 0, index: 0, positions: 9, sameBits: false };
  assert.match(differenceSentence(difference), /difference 3,1 × 10\^−5 on/);
});
