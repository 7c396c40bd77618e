import { describe, expect, it } from "vitest";
import type { Step } from "../../api/types";
import { describeOutcome, differs, findLook, findStepAfter, findWay, pairSteps } from "./following";

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
    expect(keys.map((key) => findStepAfter(key, 1, 4))).toEqual([2, 0, 0, 3, null]);
    expect(findStepAfter("ArrowLeft", 0, 4)).toBe(0);
    expect(findStepAfter("ArrowRight", 3, 4)).toBe(3);
    expect(findStepAfter("End", 0, 0)).toBeNull();
  });

  it("lights the nodes on the way, and the one of the step", () => {
    const steps = [STEP, { ...STEP, node: "large" }];
    expect(["orders", "large", "other"].map((node) => findLook({ steps, at: 1 }, node))).toEqual([
      "on-way",
      "at-step",
      "",
    ]);
  });

  it("says what became of the record", () => {
    const waiting = { ...STEP, dropped: ["late"], waits: 1 };
    expect(describeOutcome(waiting, [], false)).toEqual(["Dropped: late.", "A result now waits here."]);
    expect(describeOutcome({ ...STEP, no_result: ["predicate"] }, [], false)).toEqual(["No result: predicate."]);
    expect(describeOutcome({ ...STEP, waits: -1 }, [], false)).toEqual(["A result that waited here was forwarded."]);
    expect(describeOutcome({ ...STEP, error: "It broke." }, [], true)).toEqual(["It broke."]);
    expect(describeOutcome(STEP, [STEP], false)).toEqual(["The record ends here."]);
    expect(describeOutcome(STEP, [STEP], true)).toEqual(["Written to the topic."]);
    expect(describeOutcome({ ...STEP, outputs: [{ ...RECORD, port: "result" }] }, [], false)).toEqual([]);
  });

  it("goes on behind a shuffle", () => {
    const behind = { ...STEP, from_step: 0 };
    expect(describeOutcome(STEP, [STEP, behind], false)).toEqual(["On to the task of its key."]);
  });

  it("puts the steps of two versions side by side, each way in its order", () => {
    const at = (node: string, value = "1"): Step => ({ ...STEP, node, record: { ...RECORD, value } });
    const version = [at("orders"), at("large"), at("counted", "7"), at("counts")];
    const draft = [at("orders"), at("priced"), at("large"), at("counted", "8")];

    const pairs = pairSteps(version, draft);

    expect(pairs.map((pair) => [pair.version?.node, pair.draft?.node, differs(pair)])).toEqual([
      ["orders", "orders", false],
      [undefined, "priced", true],
      ["large", "large", false],
      ["counted", "counted", true],
      ["counts", undefined, true],
    ]);
    expect(findWay({ steps: [], pairs }, draft[1] ?? STEP)).toEqual(draft);
    expect(findWay({ steps: [], pairs }, version[3] ?? STEP)).toEqual(version);
    expect(findWay({ steps: version, pairs: null }, STEP)).toBe(version);
  });
});
