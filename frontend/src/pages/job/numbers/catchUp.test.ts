import { expect, it } from "vitest";
import { NUMBERS, SOURCE } from "../../../live/samples";
import { describeCatchUp } from "./catchUp";

it("says whether the sources keep up, and nothing of a run that reads no more", () => {
  const numbers = { ...NUMBERS, sources: { orders: { ...SOURCE, total_lag: 7_442, catch_up_s: 0 } } };

  expect(describeCatchUp(numbers, false)).toBe("keeping up");
  expect(describeCatchUp(numbers, true)).toBe("");
  expect(describeCatchUp({ ...numbers, sources: { orders: { ...SOURCE, total_lag: 9, catch_up_s: 40 } } }, false)).toBe(
    "caught up in 40.0 s",
  );
  expect(describeCatchUp(null, false)).toBe("");
});
