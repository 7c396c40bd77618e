import { expect, it } from "vitest";
import { NODE, NUMBERS } from "../../live/samples";
import { countLetters } from "./letters";

it("counts the dead letters of a node, or of all", () => {
  const numbers = { ...NUMBERS, dead_letters: 5, nodes: { orders: { ...NODE, dead_letters: 3 }, paid: NODE } };

  expect([null, "orders", "paid"].map((node) => countLetters(numbers, node))).toEqual([5, 3, 0]);
  expect(countLetters(null, "orders")).toBeNull();
});
