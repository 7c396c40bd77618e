import { expect, it } from "vitest";
import { operatorRoom, shorten } from "./shorten";

it("shortens only what is too long", () => {
  expect(shorten("delays-by-airport", 17)).toBe("delays-by-airport");
  expect(shorten("group_by_key", 9)).toBe("group_by…");
});

it("leaves less room beside a longer rate", () => {
  expect(operatorRoom("")).toBeGreaterThan(operatorRoom("500"));
  expect(operatorRoom("1,234,567,890,123")).toBe(4);
});
