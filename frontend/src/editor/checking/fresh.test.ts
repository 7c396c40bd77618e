import { expect, it } from "vitest";
import type { Issue, IssueCode } from "../../api/types";
import { chooseNextStep, isFresh, isLooseEnd } from "./fresh";

const issue = (code: IssueCode): Issue => ({
  code,
  level: "error",
  message: "",
  hint: "",
  args: {},
  node: null,
  field: null,
  span: null,
  fix: null,
});

it.each(["branch.empty", "aggregate.none", "value.none", "join.window"] as const)(
  "takes %s of a new node as a beginning",
  (code) => {
    expect(isFresh([issue(code)])).toBe(true);
  },
);

it("takes the first node on an empty canvas as a beginning, and a wrong setting as an error", () => {
  const first = [issue("field.missing"), issue("graph.no_sink"), issue("node.unused")];

  expect(isFresh(first)).toBe(true);
  expect(isFresh([...first, issue("field.invalid")])).toBe(false);
});

it("asks for a setting before it asks for an edge", () => {
  expect(chooseNextStep([issue("node.unused"), issue("field.missing")])).toBe("Set up");
  expect(chooseNextStep([issue("node.unused"), issue("port.unconnected")])).toBe("Connect");
});

it("takes a node without a reader and a missing sink as loose ends, and an unfed input as a problem", () => {
  const issues = [issue("node.unused"), issue("graph.no_sink"), issue("port.unconnected"), issue("field.missing")];

  expect(issues.filter(isLooseEnd).map(({ code }) => code)).toEqual(["node.unused", "graph.no_sink"]);
});
