/** Exact fractions. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { parseRational, power, quotient, ratio, sum, toNumber, toText } from "../../www/src/rational.js";

/** @param {string} text */
const read = (text) => {
  const fraction = parseRational(text);
  return fraction && toText(fraction);
};

test("fractions_are_in_lowest_terms_with_a_positive_denominator", () => {
  assert.equal(toText(ratio(12n, 15n)), "4/5");
  assert.equal(toText(ratio(3n, -6n)), "-1/2");
  assert.equal(toText(ratio(0n, 7n)), "0");
  assert.equal(toText(ratio(8n, 4n)), "2");
});

test("whole_numbers_decimals_and_fractions_are_read_and_nothing_else_is", () => {
  const good = { 3: "3", "0.75": "3/4", "3/4": "3/4", " 1 / 2 ": "1/2", ".5": "1/2", "0,8": "4/5", "-2": "-2", "2.": null };
  for (const [text, expected] of Object.entries(good)) assert.equal(read(text), expected, text);
  for (const text of ["", " ", "x", "1/0", "1/2/3", "0.5/2", "/2", "1e3", "--1", "-", "1".repeat(40)]) {
    assert.equal(parseRational(text), null, text);
  }
});

test("shares_of_the_weights_8_4_2_1_are_fifteenths_and_their_squares_have_85", () => {
  const weights = [8n, 4n, 2n, 1n].map((weight) => ratio(weight, 1n));
  const shares = (/** @type {typeof weights} */ of) => of.map((weight) => toText(quotient(weight, sum(of))));
  assert.deepEqual(shares(weights), ["8/15", "4/15", "2/15", "1/15"]);
  assert.deepEqual(shares(weights.map((weight) => power(weight, 2))), ["64/85", "16/85", "4/85", "1/85"]);
  assert.equal(toText(sum([ratio(8n, 15n), ratio(4n, 15n)])), "4/5");
});

test("a_fraction_of_large_numbers_is_still_near_its_value", () => {
  const large = power(ratio(3n, 2n), 400);
  assert.ok(Math.abs(toNumber(quotient(large, sum([large, large]))) - 0.5) < 1e-12);
});
