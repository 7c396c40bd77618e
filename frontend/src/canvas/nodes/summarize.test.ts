import { expect, it } from "vitest";
import type { Config } from "../../editor/document/document";
import { operator } from "../../editor/samples";
import { summarize } from "./summarize";

const first = (...names: string[]) => names.map((name) => ({ text: `{${name}}`, when: {} }));
const SPAN = { anyOf: [{ type: "integer", format: "milliseconds" }, { type: "null" }], default: null };
const READING = operator("reading", { summary: first("topic", "topics", "branches", "count"), form: {} });
const WINDOWS = operator("windows", {
  summary: [
    { text: "{count} {unit}, {zone}", when: { type: "calendar", count: 1 } },
    { text: "{count} {unit}s, {zone}", when: { type: "calendar" } },
    { text: "{size_ms} every {advance_ms}", when: { type: "hopping" } },
    ...first("size_ms"),
  ],
  form: {
    properties: {
      type: { default: "tumbling" },
      unit: { default: "day" },
      count: { default: 1 },
      zone: { default: "UTC" },
      size_ms: SPAN,
      advance_ms: SPAN,
    },
  },
});
const said = (config: Config, of = READING) => summarize({ config }, of);

it("shows the first setting of a node in one line", () => {
  expect(said({ topic: "flights", topics: ["a"] })).toBe("flights");
  expect(said({ topic: "", topics: ["a", "b"] })).toBe("a, b");
  expect(said({ topics: [], branches: [{ name: "late" }, {}] })).toBe("late, ");
  expect(said({ count: 1_000 })).toBe("1000");
  expect(said({ other: "x" })).toBe("");
});

it("says nothing of an operator that is not known", () => {
  expect(summarize({ config: { topic: "flights" } }, undefined)).toBe("");
});

it("chooses the words by what fields hold, also where the form fills them in", () => {
  expect(said({ size_ms: 3_600_000 }, WINDOWS)).toBe("1 h");
  expect(said({ size_ms: 0 }, WINDOWS)).toBe("0 s");
  expect(said({ type: "calendar", zone: "Europe/Copenhagen" }, WINDOWS)).toBe("1 day, Europe/Copenhagen");
  expect(said({ type: "calendar", unit: "month", count: 3 }, WINDOWS)).toBe("3 months, UTC");
});

it("takes words only where all their fields are set", () => {
  expect(said({ type: "hopping", size_ms: 60_000, advance_ms: 30_000 }, WINDOWS)).toBe("1 min every 30 s");
  expect(said({ type: "hopping", size_ms: 60_000 }, WINDOWS)).toBe("1 min");
  expect(said({ type: "hopping" }, WINDOWS)).toBe("");
});
