import { describe, expect, it } from "vitest";
import { align, distribute, findGuide, type Box } from "./aligning";

const box = (id: string, x: number, y: number, height = 64): Box => ({ id, x, y, width: 176, height });
const places = (found: ReadonlyMap<string, { x: number; y: number }>) =>
  [...found].map(([id, { x, y }]) => `${id} ${x},${y}`);

describe("nodes that are aligned", () => {
  it("share the middle of the first in a row, whatever their heights", () => {
    const row = align([box("b", 300, 90, 104), box("a", 0, 40)], "row");

    expect(places(row)).toEqual(["a 0,40", "b 300,20"]);
  });

  it("share the middle of the first in a column", () => {
    expect(places(align([box("a", 40, 0), box("b", 90, 200)], "column"))).toEqual(["a 40,0", "b 40,200"]);
  });

  it("do not come to lie over each other", () => {
    expect(places(align([box("a", 0, 0), box("b", 8, 200), box("c", 16, 400)], "row"))).toEqual([
      "a 0,0",
      "b 208,0",
      "c 416,0",
    ]);
  });
});

describe("nodes that are distributed", () => {
  it("are spaced evenly, and the first and last stay", () => {
    const found = distribute([box("c", 676, 0), box("a", 0, 0), box("b", 200, 50)], "row");

    expect(places(found)).toEqual(["a 0,0", "b 338,50", "c 676,0"]);
  });

  it("keep some room between them where there was none", () => {
    expect(places(distribute([box("a", 0, 0), box("b", 0, 10), box("c", 0, 20)], "column"))).toEqual([
      "a 0,0",
      "b 0,96",
      "c 0,192",
    ]);
  });
});

describe("a guide", () => {
  const still = [box("far", 0, 803), box("near", 300, 3), box("high", 900, 100, 104)];

  it("runs from the dragged node to the nearest that shares its line", () => {
    expect(findGuide([box("a", 600, 0)], still, "row")).toEqual({ line: "row", by: 3, at: 35, from: 300, to: 776 });
    expect(findGuide([box("a", 304, 400)], still, "column")).toMatchObject({ by: -4, at: 388, from: 3, to: 464 });
  });

  it("goes through the middles of nodes of unequal heights", () => {
    expect(findGuide([box("a", 600, 120)], still, "row")).toMatchObject({ by: 0, at: 152 });
  });

  it("is not there where no node stands near the line", () => {
    expect(findGuide([box("a", 600, 400)], still, "row")).toBeNull();
  });
});
