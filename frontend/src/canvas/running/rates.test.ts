import { expect, it } from "vitest";
import { findWidth } from "./rates";

it("widens an edge by each power of ten", () => {
  expect([0, 0.2, 9, 10, 450, 5_000, 20_000, 3e6].map(findWidth)).toEqual([0, 4, 4, 7, 10, 14, 19, 19]);
});
