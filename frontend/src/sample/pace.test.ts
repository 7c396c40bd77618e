import { expect, it } from "vitest";
import { faster, slower } from "./pace";

it("halves and doubles, within what the feed can be told", () => {
  expect([500, 3, 1, 0].map(slower)).toEqual([250, 2, null, 500]);
  expect([500, 40_000, 50_000, 0].map(faster)).toEqual([1_000, 50_000, null, null]);
});
