import { expect, it } from "vitest";
import { configure, makeEdgeKey, move } from "../document/document";
import { findLanes } from "./lanes";
import { documentOf, edge, node, RULES } from "../samples";
import { findShapes } from "./shape";

const lanes = ({ graph }: ReturnType<typeof documentOf>) => findLanes(graph, findShapes(graph, RULES.operators));
const drawn = documentOf([node("a"), node("between", "filter", 400), node("b", "to", 800)], [edge("a b")]);

it("are found once while somebody types into a form", () => {
  const typed = configure("between", { predicate: "amount > 1" })(drawn);

  expect(lanes(typed)).toBe(lanes(drawn));
});

it("are found again where a node moves", () => {
  const moved = move(new Map([["between", { x: 400, y: 900 }]]))(drawn);

  expect([lanes(drawn).size, lanes(moved).size]).toEqual([1, 0]);
});

it("leads an edge back to the left between the nodes, apart from others", () => {
  const rows = [0, 110, 220].flatMap((y) => [node(`left${y}`, "filter", 0, y), node(`right${y}`, "filter", 480, y)]);
  const below = [node("first", "to", 0, 440), node("second", "to", 0, 550)];
  const edges = [edge("right0 first"), edge("right110 second"), edge("right110 first")];
  const drawing = documentOf([...rows, ...below], edges);
  const found = [...lanes(drawing).values()].map(({ y }) => y);

  // the middle of `right0` and `first` is on the nodes of the third row
  const taken = rows.map(({ position: { y } }) => [y, y + 64] as const);
  expect(found.filter((lane) => taken.some(([top, bottom]) => lane > top - 16 && lane < bottom + 16))).toEqual([]);
  expect(found).toHaveLength(3);
  expect(new Set(found.slice(0, 2)).size).toBe(2);
});

it("turns edges back to the left that leave or enter one column at different places", () => {
  const column = (name: string, x: number) => [0, 96, 192, 288].map((y) => node(`${name}${y}`, "filter", x, y));
  const edges = [edge("right0 left288"), edge("right96 left192"), edge("right288 left0"), edge("right96 left96")];

  const found = lanes(documentOf([...column("left", 0), ...column("right", 240)], edges));

  const turns = edges.map((each) => found.get(makeEdgeKey(each))?.turn);
  expect(new Set(turns.slice(0, 3)).size).toBe(3);
  expect(turns[3]).toBe(turns[1]); // one output has one line, as far as its edges go together
});

it("are found within seconds for 1,000 nodes in rows whose edges lead far, forward and back", () => {
  const nodes = Array.from({ length: 1_000 }, (_, at) =>
    node(`n${at}`, "filter", (at % 25) * 240, Math.floor(at / 25) * 96),
  );
  const edges = nodes.slice(1).map(({ id }, at) => edge(`n${Math.floor(at / 2)} ${id}`));

  expect(lanes(documentOf(nodes, edges)).size).toBeGreaterThan(500);
}, 20_000);
