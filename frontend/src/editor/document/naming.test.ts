import { expect, it } from "vitest";
import { freeId, wrongId } from "./naming";
import { node } from "../samples";

it("names a node after its operator, numbered where that is taken", () => {
  expect(freeId("group_by_key", [])).toBe("group-by-key");
  expect(freeId("to", ["to", "to-2"])).toBe("to-3");
  expect(freeId("***", [])).toBe("node");
});

it("says why a name cannot be", () => {
  expect(wrongId("late-flights", "a", [node("a")])).toBeNull();
  expect(wrongId("a", "a", [node("a")])).toBeNull();
  expect(wrongId("b", "a", [node("b")])).toContain("already");
  expect(wrongId("Late flights", "a", [])).toContain("a-z");
});
