import { expect, it } from "vitest";
import { describeEffect, describeUses, fits, formatSchema, splitSubject } from "./text";

const use = { topology: 1, name: "Shop", node: "orders", job: null, does: "reads", topic: "events" } as const;

it("says who reads and who writes a subject", () => {
  const written = { ...use, name: "Billing", does: "writes" } as const;

  expect(describeUses([use, use, written])).toBe("read by Shop, written by Billing");
  expect(describeUses([])).toBe("");
});

it("says what a new schema does, at once or when somebody adopts it", () => {
  const one = { topology: 1, name: "Shop", job: null, is_running: false, nodes: [], has_problems: false };
  const consequence = { kind: "gets_default", when: "at_once", node: "a", field: "", column: "", message: "" } as const;
  const described = (more: object) =>
    describeEffect({ ...one, effect: "changes", consequences: [consequence], ...more });

  expect(described({})).toBe("no record fails, but results may change");
  expect(described({ consequences: [{ ...consequence, when: "adopted" }] })).toBe("something to do when it is adopted");
  expect(described({ effect: "breaks" })).toBe("records fail at once");
  expect(described({ effect: "unaffected" })).toBe("unaffected");
  expect(described({ effect: "unaffected", has_problems: true })).toContain("as far as");
});

it("finds subjects by their names and their users", () => {
  const subject = { name: "orders-value", uses: [use], breaks: false };

  expect([fits(subject, "VALUE"), fits(subject, "shop"), fits(subject, "other")]).toEqual([true, true, false]);
});

it("shows JSON by members and other texts as they are", () => {
  expect(formatSchema('{"type":"long"}')).toBe('{\n  "type": "long"\n}');
  expect(formatSchema('syntax = "proto3";')).toBe('syntax = "proto3";');
});

it("reads the topic and the side from a subject's name", () => {
  expect(splitSubject("orders-value")).toEqual({ topic: "orders", side: "value" });
  expect(splitSubject("daily-orders-key")).toEqual({ topic: "daily-orders", side: "key" });
  expect(splitSubject("shop.Order")).toEqual({ topic: "shop.Order", side: "value" });
  expect(splitSubject("shop.Order", [use])).toEqual({ topic: "events", side: "value" });
});
