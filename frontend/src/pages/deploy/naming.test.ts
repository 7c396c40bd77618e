import { expect, it } from "vitest";
import { makeApplicationId, proposeName } from "./naming";

const node = (operator: string, topic?: string) => ({
  id: operator,
  operator,
  config: topic === undefined ? {} : { topic },
  position: { x: 0, y: 0 },
});

it("names a topology after the first topic that it writes", () => {
  const nodes = [node("stream", "flights"), node("to", "delays-by_airport.v2"), node("to", "late")];

  expect(proposeName({ nodes })).toBe("Delays by airport v2");
});

it("leaves the name to the user where no topic is written", () => {
  expect(proposeName({ nodes: [node("stream", "flights"), node("to")] })).toBe("");
});

it.each([
  ["Late flights", "late-flights"],
  ["  Umsätze: je Region (neu) ", "umsatze-je-region-neu"],
  ["注文", "topology"],
  [`${"a".repeat(49)} b`, "a".repeat(49)],
])("makes of %j the id %j, as the server does", (name, id) => {
  expect(makeApplicationId(name)).toBe(id);
});
