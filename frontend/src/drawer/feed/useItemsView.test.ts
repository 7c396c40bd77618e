import { expect, it } from "vitest";
import { countNewer } from "./useItemsView";

const same = (item: string) => item;

it("counts what came before the item that was the first", () => {
  expect(countNewer(["c", "b", "a"], "a", same)).toBe(2);
  expect(countNewer(["a"], "a", same)).toBe(0);
  expect(countNewer([], undefined, same)).toBe(0);
});

it("counts all when that item has left the list", () => {
  expect(countNewer(["z", "y"], "a", same)).toBe(2);
});
