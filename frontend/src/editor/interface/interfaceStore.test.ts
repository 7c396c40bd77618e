import { expect, it } from "vitest";
import { createInterfaceStore } from "./interfaceStore";

it("counts a node as left once something else is selected, and those of before from the beginning", () => {
  const store = createInterfaceStore(["orders"]);
  const { select } = store.getState();

  select(["filter"]);
  expect([...store.getState().leftIds]).toEqual(["orders"]);

  select(["filter", "to"]);
  expect([...store.getState().leftIds]).toEqual(["orders"]);

  select([]);
  expect([...store.getState().leftIds]).toEqual(["orders", "filter", "to"]);
});
