import { expect, it } from "vitest";
import { findFaster, findSlower } from "./pace";

it("halves and doubles, within what the feed can be told", () => {
  expect([500, 3, 1, 0].map(findSlower)).toEqual([250, 2, null, 500]);
  expect([500, 40_000, 50_000, 0].map(findFaster)).toEqual([1_000, 50_000, null, null]);
});
