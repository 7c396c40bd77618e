import { expect, it } from "vitest";
import { pictureOf } from "./picture";

const box = { width: 10, height: 4 };
const gaps = { column: 6, lane: 2 };

it("draws a straight wire inside a lane", () => {
  const graph = { nodes: [{ id: "a" }, { id: "b" }], edges: [{ source: "a", target: "b" }] };

  const picture = pictureOf(graph, box, gaps);

  expect(picture.wires.map((wire) => wire.path)).toEqual(["M10,2H16"]);
  expect([picture.width, picture.height]).toEqual([26, 4]);
});

it("leaves out a wire into nowhere", () => {
  const graph = { nodes: [{ id: "a" }], edges: [{ source: "a", target: "gone" }] };

  expect(pictureOf(graph, box, gaps).wires).toEqual([]);
});

it("is empty for an empty graph", () => {
  expect(pictureOf({ nodes: [], edges: [] }, box, gaps)).toEqual({ boxes: [], wires: [], width: 0, height: 0 });
});
