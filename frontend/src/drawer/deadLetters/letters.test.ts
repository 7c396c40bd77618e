import { expect, it } from "vitest";
import { NODE, NUMBERS } from "../../live/samples";
import { lettersOf } from "./letters";

it("counts the dead letters of a node, or of all", () => {
  const numbers = { ...NUMBERS, dead_letters: 5, nodes: { orders: { ...NODE, dead_letters: 3 }, paid: NODE } };

  expect([lettersOf(numbers, null), lettersOf(numbers, "orders"), lettersOf(numbers, "paid")]).toEqual([5, 3, 0]);
  expect(lettersOf(null, "orders")).toBeNull();
});
