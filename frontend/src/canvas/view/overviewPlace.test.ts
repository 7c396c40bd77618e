import { expect, it } from "vitest";
import { findFreeCorner, isBeyond } from "./overviewPlace";

const SCREEN = { width: 900, height: 700 };
const at = (x: number, y: number) => ({ x, y, width: 176, height: 64 });

it("stands in the first corner without a node, above the controls", () => {
  expect(findFreeCorner([at(300, 300)], SCREEN)).toBe("bottom-right");
  expect(findFreeCorner([at(700, 653)], SCREEN)).toBe("bottom-right");
  expect(findFreeCorner([at(700, 500)], SCREEN)).toBe("top-right");
  expect(findFreeCorner([at(700, 500), at(600, 100)], SCREEN)).toBe("top-left");
});

it("stands below the legend at the top", () => {
  expect(findFreeCorner([at(700, 500), at(700, 190)], SCREEN)).toBe("top-left");
  expect(findFreeCorner([at(700, 500), at(600, 100), at(10, 190)], SCREEN)).toBeNull();
});

it("leaves the bottom of a narrow canvas to the panel of the sample feed", () => {
  expect(findFreeCorner([], { width: 513, height: 700 })).toBe("top-right");
});

it("is not shown where it would cover a node in every corner", () => {
  expect(findFreeCorner([at(700, 500), at(600, 100), at(10, 10)], SCREEN)).toBeNull();
});

it("tells a node that is partly outside from one that is wholly on the screen", () => {
  expect([at(0, 0), at(724, 636)].map((node) => isBeyond(node, SCREEN))).toEqual([false, false]);
  expect([at(-1, 0), at(725, 0), at(0, 637)].map((node) => isBeyond(node, SCREEN))).toEqual([true, true, true]);
});
