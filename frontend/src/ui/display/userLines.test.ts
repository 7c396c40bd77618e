import { expect, it } from "vitest";
import { groupUses } from "./userLines";

it("has one line for each topology and what it does, with its nodes", () => {
  const use = { topology: 1, job: null, name: "Orders", does: "reads", node: "orders" } as const;

  const lines = groupUses([use, { ...use, node: "refunds" }, { ...use, does: "writes" }, { ...use, job: 7 }]);

  expect(lines.map(({ job, does, nodes }) => [job, does, nodes])).toEqual([
    [null, "reads", ["orders", "refunds"]],
    [null, "writes", ["orders"]],
    [7, "reads", ["orders"]],
  ]);
});
