import { expect, it } from "vitest";
import type { NodeNumbers } from "../../live/state";
import { listFigures } from "./figures";

const NUMBERS: NodeNumbers = {
  in: 1_200,
  out: 1_000,
  dropped: 0,
  errors: 3,
  rate: 120,
  out_rate: 100,
  busy: 0.004,
  state: null,
};
const shown = (numbers: NodeNumbers, isSource = false) =>
  Object.fromEntries(listFigures(numbers, isSource).map(({ name, value }) => [name, value]));

it("says what goes in and out, and how fast", () => {
  expect(shown(NUMBERS)).toMatchObject({ "In /s": "120", "Out /s": "100", In: "1,200", Out: "1,000", Busy: "< 1 %" });
});

it("says of a source only what it gives, at the rate of its own", () => {
  expect(Object.keys(shown(NUMBERS, true))).not.toContain("In");
  expect(shown(NUMBERS, true)["Out /s"]).toBe("120");
});

it("says of a lookup how often it found no row", () => {
  expect(shown(NUMBERS)).not.toHaveProperty("No match");
  expect(shown({ ...NUMBERS, no_match: 0 })).toMatchObject({ "No match": "0" });
  expect(shown({ ...NUMBERS, closed_idle: 3 })).toMatchObject({ "Emitted when idle": "3" });
  expect(shown({ ...NUMBERS, unlikely_times: 2 })).toMatchObject({ "Unlikely times": "2" });
});

it("shows state where there is some", () => {
  expect(shown(NUMBERS)).not.toHaveProperty("State");
  expect(shown({ ...NUMBERS, state: { rows: 7, bytes: 2_048 } })).toMatchObject({ Rows: "7", State: "2.0 KiB" });
});

it("shows the results that a suppress holds back, whichever run brought them, and no rows of its buffer", () => {
  const figures = shown({ ...NUMBERS, waiting: -1, state: { rows: 7, bytes: 2_048, held: 3 } });

  expect(figures).toMatchObject({ Waiting: "3", State: "2.0 KiB" });
  expect(figures).not.toHaveProperty("Rows");
});

it("shows beside a join what the table holds that must fit into state", () => {
  const told = listFigures(NUMBERS, false, { rows: 1_200, bytes: 40_960 }).map(({ name, value }) => `${name} ${value}`);

  expect(told).toEqual(expect.arrayContaining(["Table rows 1,200", "Table state 40.0 KiB"]));
  expect(Object.keys(shown(NUMBERS))).not.toContain("Table rows");
});

it("errors alone are loud", () => {
  const tones = listFigures(NUMBERS, false).flatMap(({ name, tone }) => (tone === "usual" ? [] : [[name, tone]]));

  expect(tones).toEqual([
    ["Dropped", "zero"],
    ["Errors", "loud"],
  ]);
});
