import { expect, it } from "vitest";
import { describeUses, fits, formatSchema, splitSubject } from "./text";

const use = { topology: 1, name: "Shop", node: "orders", job: null, does: "reads", topic: "events" } as const;

it("says who reads and who writes a subject", () => {
  const written = { ...use, name: "Billing", does: "writes" } as const;

  expect(describeUses([use, use, written])).toBe("read by Shop, written by Billing");
  expect(describeUses([])).toBe("");
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
