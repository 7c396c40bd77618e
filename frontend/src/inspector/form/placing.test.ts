import { expect, it } from "vitest";
import type { Issue, IssueCode } from "../../api/types";
import { findOwner, groupIssues, markInvalid } from "./placing";

const PATHS = ["key", "key_type", "fields", "fields.0.name", "fields.0.expression"];
const issue = (field: string | null, code: IssueCode = "field.missing"): Issue => ({
  code,
  level: "error",
  message: "",
  hint: "",
  args: {},
  node: "one",
  field,
  span: null,
  fix: null,
});

it.each([
  ["key", "key"],
  ["key_type", "key_type"],
  ["key_type.fields.2", "key_type"],
  ["fields.0.name", "fields.0.name"],
  ["fields.0", "fields"],
  ["fields.3.name", "fields"],
  ["gone", null],
  [null, null],
])("what is wrong with %s stands at %s", (field, owner) => {
  expect(findOwner(field, PATHS)).toBe(owner);
});

it("keeps what belongs to no field for the top of the form", () => {
  const { at, above } = groupIssues([issue("key"), issue(null), issue("key"), issue("gone")], PATHS);

  expect(at.get("key")).toHaveLength(2);
  expect(above.map(({ field }) => field)).toEqual([null, "gone"]);
});

it("says nothing of an unfed input, which stands above the form with what could feed it", () => {
  const { at, above } = groupIssues([issue(null, "port.unconnected")], PATHS);

  expect([at.size, above]).toEqual([0, []]);
});

it("a field is invalid once something in it is wrong, not while it is empty", () => {
  expect(markInvalid([issue("key")])).toBeUndefined();
  expect(markInvalid([issue("key"), issue("key", "text.chain")])).toBe(true);
});
