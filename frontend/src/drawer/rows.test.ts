import { expect, it } from "vitest";
import { questionOf, rowKey } from "./rows";

it("asks for the newest windows, and for a key in order of time", () => {
  expect(questionOf({ windows: "tumbling" }, "", 100)).toBe("limit=100&descending=true");
  expect(questionOf({ windows: "tumbling" }, "a&b", 100)).toBe("limit=100&descending=false&key=a%26b");
  expect(questionOf({ windows: null }, "", 200)).toBe("limit=200&descending=false");
});

it("tells the windows of one key apart", () => {
  expect(rowKey({ key: '"ada"', window: null })).toBe('"ada"');
  expect(rowKey({ key: '"ada"', window: { start: 1, end: 2 } })).toBe('"ada" 1 2');
});
