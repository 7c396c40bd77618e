import { expect, it } from "vitest";
import { findNode, type Document } from "../document/document";
import { applyFix } from "./fixing";

const DRAWN: Document = {
  graph: {
    nodes: [
      { id: "paid", operator: "filter", config: { predicate: "amout > 0" }, position: { x: 0, y: 0 } },
      {
        id: "named",
        operator: "map_values",
        config: { fields: [{ name: "a", expression: "a" }, { name: "b", expression: "a | b" }], keep: false },
        position: { x: 0, y: 0 },
      },
    ],
    edges: [],
  },
  schemas: {},
};
const fix = (replacement: string) => ({ code: "use" as const, part: "`x`", label: "Use `x`", replacement });

it("puts the replacement where the field's text was", () => {
  const fixed = applyFix(DRAWN, { node: "paid", field: "predicate", fix: fix("amount > 0") });

  expect(findNode(fixed, "paid")?.config).toEqual({ predicate: "amount > 0" });
});

it("goes down a dotted path and leaves the rest as it was", () => {
  const fixed = applyFix(DRAWN, { node: "named", field: "fields.1.expression", fix: fix("a || b") });

  expect(findNode(fixed, "named")?.config).toEqual({
    fields: [{ name: "a", expression: "a" }, { name: "b", expression: "a || b" }],
    keep: false,
  });
  expect(findNode(fixed, "paid")).toBe(findNode(DRAWN, "paid"));
});

it("fills an empty field", () => {
  const fixed = applyFix(DRAWN, { node: "paid", field: "value_format", fix: fix("string") });

  expect(findNode(fixed, "paid")?.config).toEqual({ predicate: "amout > 0", value_format: "string" });
});

it.each([
  { node: "paid", field: "predicate", fix: null },
  { node: "gone", field: "predicate", fix: fix("x") },
  { node: "named", field: "fields.7.expression", fix: fix("x") },
  { node: null, field: null, fix: fix("x") },
])("changes nothing where nothing can be fixed: %o", (issue) => {
  expect(applyFix(DRAWN, issue)).toBe(DRAWN);
});
