import { expect, it } from "vitest";
import { NODE } from "../../live/samples";
import type { DroppedRecord, NodeNumbers } from "../../live/state";
import { describeDrops, listCures, listDroppedRows } from "./drops";

const LATE: DroppedRecord = { topic: "orders", partition: 3, offset: 1_042, timestamp: 60_000, key: "a" };
const DROPPING: NodeNumbers = {
  ...NODE,
  dropped: 1_027,
  dropped_by: { "null key": 3, late: 1_024 },
  dropped_samples: { late: [LATE] },
};

it("names the reasons, the most frequent first", () => {
  expect(describeDrops(DROPPING)).toBe("late 1,024, null key 3");
});

it("says what may be done about each reason that has a cure", () => {
  const told = { ...DROPPING, dropped_by: { late: 2, "the left row is another by now": 1 } };

  expect(listCures(told, { late: "Raise it." })).toEqual([["late", "Raise it."]]);
  expect(listCures(NODE, { late: "Raise it." })).toEqual([]);
});

it("shows the records with their reason", () => {
  expect(listDroppedRows(DROPPING)).toEqual([{ reason: "late", ...LATE }]);
});

it("numbers without drops have none to show", () => {
  expect([describeDrops(NODE), listDroppedRows(NODE)]).toEqual(["", []]);
});

