import { expect, it } from "vitest";
import { checkId, findFreeId } from "./naming";
import { node } from "../samples";

it("names a node after its operator, numbered where that is taken", () => {
  expect(findFreeId("group_by_key", [])).toBe("group-by-key");
  expect(findFreeId("to", ["to", "to-2"])).toBe("to-3");
  expect(findFreeId("***", [])).toBe("node");
});

it("says why a name cannot be", () => {
  expect(checkId("late-flights", "a", [node("a")])).toBeNull();
  expect(checkId("a", "a", [node("a")])).toBeNull();
  expect(checkId("b", "a", [node("b")])).toContain("already");
  expect(checkId("Late flights", "a", [])).toContain("a-z");
});
