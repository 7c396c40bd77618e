import { expect, it } from "vitest";
import { drawSparkPaths } from "./sparkline";

it("puts the newest value at the right edge", () => {
  const { line } = drawSparkPaths([1, 2], 100, 20, 11);

  expect(line).toBe("M90,10L100,0");
});

it("draws a run of zeros along the floor", () => {
  const { line } = drawSparkPaths([0, 0, 0], 100, 20, 3);

  expect(line).toBe("M0,20L50,20L100,20");
});

it("keeps only as many values as fit", () => {
  const { line } = drawSparkPaths([9, 9, 4, 2], 100, 20, 2);

  expect(line).toBe("M0,0L100,10");
});

it("draws nothing of a single value", () => {
  expect(drawSparkPaths([7], 100, 20, 10).line).toBe("");
});
