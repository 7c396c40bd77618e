import { describe, expect, it } from "vitest";
import type { Type } from "../type/types";
import { findOffers, listNames, quote, type Scope } from "./names";

const AIRPORT: Type = { kind: "struct", fields: [{ name: "lat", type: { kind: "double" } }] };
const VALUE: Type = {
  kind: "struct",
  fields: [
    { name: "dep_delay", type: { kind: "integer" } },
    { name: "from airport", type: AIRPORT },
    { name: "key", type: { kind: "boolean" } },
  ],
};
const SCOPE: Scope = {
  names: { key: { kind: "string" }, value: VALUE, timestamp: { kind: "integer" } },
  spread: "value",
};
const ABS = { name: "abs", signature: "abs(number: number) -> number", help: "Without its sign." };

const labels = (before: string, isAsked = false) => {
  const found = findOffers(before, SCOPE, [ABS], isAsked);
  return found?.offers.filter(({ kind }) => kind !== "word").map(({ label }) => label);
};

describe("findOffers", () => {
  it("offers bare fields first, then names and functions", () => {
    expect(labels("d")).toEqual(["dep_delay", "from airport", "key", "value", "timestamp", "abs"]);
  });

  it("offers the fields of the other side of a join by their own name, and writes them with their side", () => {
    const scope: Scope = { names: { left: VALUE, right: AIRPORT }, spread: "left" };

    const found = findOffers("la", scope, [], false)?.offers.find(({ label }) => label === "lat");

    expect(found?.text).toBe("right.lat");
  });

  it("leaves out a bare field that a name hides", () => {
    expect(labels("k")?.filter((label) => label === "key")).toHaveLength(1);
  });

  it.each([
    ["value.", ["dep_delay", "from airport", "key"]],
    ["value.dep", ["dep_delay", "from airport", "key"]],
    ["value.`from airport`.", ["lat"]],
    ["`from airport`.l", ["lat"]],
    ["key.", []],
    ["nobody.", []],
  ])("offers the fields behind %s", (before, fields) => {
    expect(labels(before)).toEqual(fields);
  });

  it("says where the word begins, and its type", () => {
    const found = findOffers("1 + value.dep", SCOPE, [], false);

    expect(found?.from).toBe("1 + value.".length);
    expect(found?.offers[0]).toMatchObject({ text: "dep_delay", detail: "integer" });
  });

  it("tells a function's result and how it is called", () => {
    const found = findOffers("ab", SCOPE, [ABS], false)?.offers.find(({ kind }) => kind === "function");

    expect(found).toMatchObject({ text: "abs()", detail: "number", help: "abs(number: number)\nWithout its sign." });
  });

  it.each([
    ["transform(items, item -> i", ["item"]],
    ["aggregate(items, 0, (sum, x) -> sum + x", ["sum", "x"]],
    ["transform(a, x -> filter(x, y -> y", ["y", "x"]],
    ["transform(a, x -> filter(x, y -> y > 1), x", []],
    ["transform(a, x -> f(x, 1) + x", ["x"]],
    ["transform(a, x -> ', y -> ' || x", ["x"]],
    ["transform(a, x -> x) + x", []],
  ])("offers the parameters of the lambdas around %s", (before, parameters) => {
    const offers = findOffers(before, SCOPE, [], false)?.offers ?? [];

    expect(offers.filter(({ detail }) => detail === "parameter").map(({ label }) => label)).toEqual(parameters);
  });

  it("keeps quiet inside a text, and where no word was begun unless asked", () => {
    expect(labels("carrier = 'd")).toBeUndefined();
    expect(labels("dep_delay > ")).toBeUndefined();
    expect(labels("dep_delay > ", true)).toContain("dep_delay");
  });
});

it.each([
  ["dep_delay", "dep_delay"],
  ["from airport", "`from airport`"],
  ["case", "`case`"],
  ["a`b", "`a``b`"],
])("writes %s as %s", (name, written) => {
  expect(quote(name)).toBe(written);
});

describe("listNames", () => {
  it("lists the fields of the value without a prefix", () => {
    expect(listNames(SCOPE)).toEqual(["dep_delay", "`from airport`", "key", "timestamp"]);
  });

  it("lists the fields of the other side of a join before what is no field", () => {
    expect(listNames({ names: { key: { kind: "string" }, left: VALUE, right: AIRPORT }, spread: "left" })).toEqual([
      "dep_delay",
      "`from airport`",
      "right.lat",
      "key",
    ]);
  });

  it("lists a value without fields, such as a count, first", () => {
    const names = { ...SCOPE.names, value: { kind: "integer" } } as const;

    expect(listNames({ names, spread: "value" })).toEqual(["value", "key", "timestamp"]);
  });
});
