import { expect, it } from "vitest";
import { layOutPicture } from "./picture";

const box = { width: 10, height: 4 };
const gaps = { column: 6, lane: 2 };

it("draws a straight edge inside a lane", () => {
  const graph = { nodes: [{ id: "a" }, { id: "b" }], edges: [{ source: "a", target: "b" }] };

  const picture = layOutPicture(graph, box, gaps);

  expect(picture.edges.map((edge) => edge.path)).toEqual(["M10,2H16"]);
  expect([picture.width, picture.height]).toEqual([26, 4]);
});

it("leaves out an edge into nowhere", () => {
  const graph = { nodes: [{ id: "a" }], edges: [{ source: "a", target: "gone" }] };

  expect(layOutPicture(graph, box, gaps).edges).toEqual([]);
});

it("is empty for an empty graph", () => {
  expect(layOutPicture({ nodes: [], edges: [] }, box, gaps)).toEqual({ boxes: [], edges: [], width: 0, height: 0 });
});
