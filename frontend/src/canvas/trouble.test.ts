import { expect, it } from "vitest";
import { LIVE, NODE, NUMBERS, STANDING } from "../live/samples";
import { busyTwentieths, troubleOf } from "./trouble";

it("failed records are worse than dropped ones", () => {
  expect(troubleOf({ ...NODE, errors: 1, dropped: 2 })).toBe("failing");
  expect(troubleOf({ ...NODE, dropped: 2 })).toBe("dropping");
  expect([troubleOf(NODE), troubleOf(undefined)]).toEqual(["", ""]);
});

it("a node is busy in steps of a twentieth, while its run is alive", () => {
  const nodes = { orders: { ...NODE, busy: 0.33 }, paid: { ...NODE, busy: 0.02 } };
  const live = { ...LIVE, numbers: { ...NUMBERS, nodes } };

  const found = ["orders", "paid", "none"].map((id) => busyTwentieths(live, id));

  expect(found).toEqual([7, 0, 0]);
  expect(busyTwentieths({ ...live, standing: { ...STANDING, status: "stopped" } }, "orders")).toBe(0);
  expect(busyTwentieths(null, "orders")).toBe(0);
});
