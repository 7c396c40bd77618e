import { describe, expect, it } from "vitest";
import type { Step } from "../../api/types";
import { fateOf, lookOf, stepAfter } from "./following";

const RECORD = { key: '"a"', window: null, value: "1", timestamp: 0, old: null };
const STEP: Step = {
  node: "orders",
  port: null,
  record: RECORD,
  from_step: null,
  outputs: [],
  dropped: [],
  no_result: [],
  waits: 0,
  error: null,
  rows: [],
  met: [],
};

describe("following a record", () => {
  it("goes from step to step with the arrow keys, and not beyond them", () => {
    const keys = ["ArrowRight", "ArrowLeft", "Home", "End", "a"];
    expect(keys.map((key) => stepAfter(key, 1, 4))).toEqual([2, 0, 0, 3, null]);
    expect(stepAfter("ArrowLeft", 0, 4)).toBe(0);
    expect(stepAfter("ArrowRight", 3, 4)).toBe(3);
    expect(stepAfter("End", 0, 0)).toBeNull();
  });

  it("lights the nodes on the way, and the one of the step", () => {
    const steps = [STEP, { ...STEP, node: "large" }];
    expect(["orders", "large", "other"].map((node) => lookOf({ steps, at: 1 }, node))).toEqual([
      "on-way",
      "at-step",
      "",
    ]);
  });

  it("says what became of the record", () => {
    expect(fateOf({ ...STEP, dropped: ["late"], waits: 1 })).toEqual(["Dropped: late.", "A result now waits here."]);
    expect(fateOf({ ...STEP, no_result: ["predicate"] })).toEqual(["No result: predicate."]);
    expect(fateOf({ ...STEP, waits: -1 })).toEqual(["A result that waited here was forwarded."]);
    expect(fateOf({ ...STEP, error: "It broke." })).toEqual(["It broke."]);
    expect(fateOf(STEP)).toEqual(["The record ends here."]);
    expect(fateOf({ ...STEP, outputs: [{ ...RECORD, port: "result" }] })).toEqual([]);
  });
});
