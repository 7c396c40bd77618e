import { expect, it } from "vitest";
import { newerThan } from "./useItemsView";

const same = (item: string) => item;

it("counts what came before the item that was the first", () => {
  expect(newerThan(["c", "b", "a"], "a", same)).toBe(2);
  expect(newerThan(["a"], "a", same)).toBe(0);
  expect(newerThan([], undefined, same)).toBe(0);
});

it("counts all when that item has left the list", () => {
  expect(newerThan(["z", "y"], "a", same)).toBe(2);
});
