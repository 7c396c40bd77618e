import { expect, it } from "vitest";
import { LIVE, NODE, NUMBERS } from "../../live/samples";
import { hasSeenRecord } from "./newest";

it("asks for a node's newest record only once one has reached it", () => {
  const quiet = { ...NODE, in: 0, out: 0 };
  const live = { ...LIVE, numbers: { ...NUMBERS, nodes: { orders: NODE, paid: quiet } } };

  expect(["orders", "paid", "none"].map((node) => hasSeenRecord(live, node))).toEqual([true, false, false]);
  expect(hasSeenRecord({ ...live, numbers: null }, "orders")).toBe(false);
});
