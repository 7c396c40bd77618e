import { expect, it } from "vitest";
import { NUMBERS } from "../../../live/samples";
import { findState } from "./figures";

it("does not call the kept state empty before the first batch of a run", () => {
  const begun = { ...NUMBERS, state: { rows: 0, bytes: 0 }, batch: { number: null, in_batch_ms: 0 } };

  expect(findState(NUMBERS)).toEqual({ rows: 4, bytes: 400 });
  expect(findState(begun)).toBeNull();
  expect(findState(null)).toBeNull();
});
