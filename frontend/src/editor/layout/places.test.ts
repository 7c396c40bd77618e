import { expect, it } from "vitest";
import { node } from "../samples";
import { findFreePlace } from "./places";

it("finds the first free place below", () => {
  const nodes = [node("a"), node("b", "filter", 0, 96)];

  expect(findFreePlace({ x: 0, y: 0 }, nodes)).toEqual({ x: 0, y: 192 });
});

it.each([1e19, -1e19, 1e300])("ends at %d, where a step is lost in rounding", (y) => {
  const place = { x: 0, y };

  expect(findFreePlace(place, [node("far", "filter", 0, y)])).toEqual(place);
});
