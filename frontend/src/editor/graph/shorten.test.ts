import { expect, it } from "vitest";
import { measureRoom, shorten } from "./shorten";

it("shortens only what is too long", () => {
  expect(shorten("delays-by-airport", 17)).toBe("delays-by-airport");
  expect(shorten("group_by_key", 9)).toBe("group_by…");
});

it("leaves less room beside a longer rate", () => {
  expect(measureRoom("")).toBeGreaterThan(measureRoom("500"));
  expect(measureRoom("1,234,567,890,123")).toBe(4);
});
