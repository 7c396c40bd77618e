import { expect, test } from "vitest";
import { describeEngine } from "./describeEngine";

test("the kernel runs nodes without a reason", () => {
  expect(describeEngine({ nodes: ["orders", "large"], reason: "" })).toBe("The kernel runs `orders`, `large`.");
});

test("the Python engine runs nodes for a reason", () => {
  expect(describeEngine({ nodes: ["enrich"], reason: "`process` on node `enrich`" })).toBe(
    "The Python engine runs `enrich`: `process` on node `enrich`.",
  );
});
