import { expect, it } from "vitest";
import { describeRows, formatWindow, makeQuery, makeRowKey, nameRows, formatReady } from "./rows";

it("asks for the newest windows first", () => {
  expect(makeQuery({ windows: "tumbling" }, "", 100)).toEqual({ limit: 100, descending: true, key: null });
  expect(makeQuery({ windows: null }, "a&b", 200)).toEqual({ limit: 200, descending: false, key: "a&b" });
});

it("names the day of a window once", () => {
  const [start, end] = [new Date(2013, 0, 17, 18).getTime(), new Date(2013, 0, 17, 19).getTime()];
  expect(formatWindow({ start, end })).toBe("2013-01-17 18:00:00.000 – 19:00:00.000");
  expect(formatWindow({ start, end: end + 24 * 3_600_000 })).toBe("2013-01-17 18:00:00.000 – 2013-01-18 19:00:00.000");
});

it("tells the windows of one key apart", () => {
  expect(makeRowKey({ key: '"ada"', window: null })).toBe('"ada"');
  expect(makeRowKey({ key: '"ada"', window: { start: 1, end: 2 } })).toBe('"ada" 1 2');
});

it("tells apart what a store keeps of one key and window", () => {
  const window = { start: 1, end: 2 };
  const rows = [
    { key: '"ada"', window },
    { key: '"bob"', window },
    { key: '"ada"', window },
  ];
  expect(nameRows(rows).map(({ name }) => name)).toEqual(['"ada" 1 2', '"bob" 1 2', '"ada" 1 2 2']);
});

it("says how many rows there are beside those that are shown", () => {
  expect(describeRows(7, false, 7)).toBe("7 rows");
  expect(describeRows(100, true, 12_345)).toBe("the first 100 of 12,345 rows");
  expect(describeRows(100, true, null)).toBe("the first 100 rows");
  expect(describeRows(100, true, 40)).toBe("the first 100 rows");
});

it("says how much of a table is ready", () => {
  expect(formatReady(0, 1)).toBe("0 of 1 part is ready.");
  expect(formatReady(1, 4)).toBe("1 of 4 parts are ready.");
});
