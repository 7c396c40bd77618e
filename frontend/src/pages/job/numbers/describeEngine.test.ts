import { expect, test } from "vitest";
import { describeEngines } from "./describeEngine";

const FAST = { nodes: ["orders", "large"], reason: "" };
const SLOW = { nodes: ["scores"], reason: "`process` runs Python" };

test("one sentence is enough if the kernel runs all nodes", () => {
  expect(describeEngines([FAST, { ...FAST, nodes: ["totals"] }])).toEqual(["The kernel runs all nodes."]);
});

test("nodes of the same engine for the same reason are in one sentence", () => {
  expect(describeEngines([FAST, SLOW, { ...FAST, nodes: ["totals"] }])).toEqual([
    "The kernel runs `orders`, `large`, `totals`.",
    "The Python engine runs `scores`: `process` runs Python.",
  ]);
});
