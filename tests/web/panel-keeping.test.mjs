/** Which panels are open, over a reload of the page. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { keepOpen, openItem } from "../../www/src/panel-keeping.js";
import { initialState, update } from "../../www/src/state.js";
import { createStore } from "../../www/src/store.js";

/**
 * A page with what an earlier one has kept.
 *
 * @param {{ kept?: string | null, sameVisit?: boolean, refuses?: boolean }} [browser]
 */
function open({ kept = null, sameVisit = true, refuses = false } = {}) {
  const store = createStore(initialState, update, () => {});
  /** @type {Map<string, string>} */
  const items = new Map(kept === null ? [] : [[openItem, kept]]);
  /** @type {(ids: string[]) => void} */
  let toggle = () => {};
  const details = keepOpen(
    store,
    (listener) => {
      toggle = listener;
    },
    {
      sameVisit,
      storage() {
        if (refuses) throw new DOMException("forbidden", "SecurityError");
        return { getItem: (key) => items.get(key) ?? null, setItem: (key, text) => void items.set(key, text) };
      },
    },
  );
  return { ...store, details, toggle, kept: () => items.get(openItem) ?? null };
}

describe("open panels", () => {
  test("are_open_again_when_the_page_is_loaded_again_and_the_page_counts_as_untouched", () => {
    const first = open();
    first.dispatch({ type: "panelToggled", name: "cache" });
    first.dispatch({ type: "panelToggled", name: "ab" });
    first.toggle(["bench"]);
    const again = open({ kept: first.kept() });
    assert.deepEqual(again.getState().openPanels, ["cache", "ab"]);
    assert.deepEqual(again.details, ["bench"]);
    assert.equal(again.getState().touched, false);
    again.dispatch({ type: "panelToggled", name: "cache" });
    const third = open({ kept: again.kept() });
    assert.deepEqual([third.getState().openPanels, third.details], [["ab"], ["bench"]]);
  });

  test("of_an_earlier_visit_stay_closed", () => {
    const kept = JSON.stringify({ panels: ["ab"], details: ["bench"] });
    const page = open({ kept, sameVisit: false });
    assert.deepEqual([page.getState().openPanels, page.details], [[], []]);
  });

  test("that_a_link_has_opened_stay_with_those_that_were_kept", () => {
    const page = open({ kept: JSON.stringify({ panels: ["ab", "cache"], details: [] }) });
    page.dispatch({ type: "panelsKept", names: ["cache", "tree"] });
    assert.deepEqual(page.getState().openPanels, ["ab", "cache", "tree"]);
  });

  test("are_not_kept_where_the_browser_refuses_and_what_cannot_be_read_is_left_out", () => {
    const page = open({ refuses: true });
    page.dispatch({ type: "panelToggled", name: "ab" });
    assert.deepEqual(page.getState().openPanels, ["ab"]);
    for (const kept of ["{", "null", "7", '{"panels":"ab"}', '{"panels":["no such",3],"details":[null]}']) {
      const other = open({ kept });
      assert.deepEqual([other.getState().openPanels, other.details], [[], []], kept);
    }
  });
});
