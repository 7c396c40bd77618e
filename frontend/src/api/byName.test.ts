import { expect, it } from "vitest";
import { sortByName } from "./byName";

it("counts in names as people do", () => {
  const topics = ["orders-100", "orders-12", "Clicks", "orders-9"].map((name) => ({ name }));

  expect(sortByName(topics).map(({ name }) => name)).toEqual(["Clicks", "orders-9", "orders-12", "orders-100"]);
});
