import { expect, it } from "vitest";
import { NODE, NUMBERS } from "../../live/samples";
import { countDeadLetters } from "./deadLetters";

it("counts the dead letters of a node, or of all", () => {
  const numbers = { ...NUMBERS, dead_letters: 5, nodes: { orders: { ...NODE, dead_letters: 3 }, paid: NODE } };

  expect([null, "orders", "paid"].map((node) => countDeadLetters(numbers, node))).toEqual([5, 3, 0]);
  expect(countDeadLetters(null, "orders")).toBeNull();
});
