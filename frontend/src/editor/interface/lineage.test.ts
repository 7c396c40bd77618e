import { beforeEach, expect, it } from "vitest";
import { chooseField, showLineage, useLineage } from "./lineage";

const SUM = { node: "totals", part: "value", path: ["sum"] } as const;

beforeEach(() => {
  chooseField(null);
});

it("shows the way of one field, and nothing once it is chosen again", () => {
  chooseField(SUM);
  expect([...useLineage.getState().way]).toEqual(["totals"]);
  showLineage({ way: ["orders", "totals"] });
  expect([...useLineage.getState().way]).toEqual(["orders", "totals"]);

  chooseField({ ...SUM });
  expect(useLineage.getState()).toEqual({ field: null, way: new Set() });
});
