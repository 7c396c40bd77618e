import { expect, it } from "vitest";
import { findLimits, formatColumns, lendInspector, limitWidth, useSides } from "./sides";

it("leaves the canvas half of the window", () => {
  for (const width of [1024, 1280, 1440]) {
    expect(findLimits("palette", width).max + findLimits("inspector", width).max).toBeLessThanOrEqual(width / 2 + 1);
  }
  expect(formatColumns({ palette: 204, inspector: 0 })).toBe("min(204px, 20vw) minmax(0, 1fr) min(0px, 30vw)");
});

it("folds a panel that is dragged nearly shut", () => {
  expect(limitWidth("inspector", 130, 1440)).toBe(240);
  expect(limitWidth("inspector", 100, 1440)).toBe(0);
});

it("lends the inspector, and puts it back as it was", () => {
  for (const inspector of [315, 0]) {
    useSides.setState({ inspector, isInspectorPinned: false });

    const putBack = lendInspector();
    expect(useSides.getState()).toMatchObject({ inspector: 315, isInspectorPinned: true });

    putBack();
    expect(useSides.getState()).toMatchObject({ inspector, isInspectorPinned: false });
  }
});
