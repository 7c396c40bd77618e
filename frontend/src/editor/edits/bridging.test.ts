import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Catalogue, GraphEdge } from "../../api/types";
import { makeRules } from "../edges/connecting";
import { documentOf, node } from "../samples";
import { addFed, findBridge } from "./bridging";

const FILE = join(import.meta.dirname, "../../../../tests/designer/checks/wiring.json");
const WIRING = JSON.parse(readFileSync(FILE, "utf8")) as {
  readonly rules: Pick<Catalogue, "operators" | "refused" | "pairs" | "messages">;
};
const RULES = makeRules(WIRING.rules);
const wire = (source: string, target: string, target_port: string): GraphEdge => ({
  source,
  source_port: "result",
  target,
  target_port,
});
const ends = (edges: readonly GraphEdge[]) => edges.map(({ source, target }) => `${source} > ${target}`).sort();

it("puts to_stream between a table and a sink", () => {
  const document = documentOf([node("rows", "table")]);
  const at = { x: 240, y: 0 };

  const { id, edit } = addFed("to", at, document, RULES, [{ source: "rows", port: "result" }]);
  const { graph } = edit(document);

  expect(id).toBe("to");
  expect(ends(graph.edges)).toEqual(["rows > to-stream", "to-stream > to"]);
  const x = (name: string) => graph.nodes.find((one) => one.id === name)?.position.x ?? 0;
  expect(x("to-stream")).toBeGreaterThanOrEqual(192);
  expect(x("to") - x("to-stream")).toBeGreaterThanOrEqual(192);
});

it("puts nothing between what fits", () => {
  const document = documentOf([node("orders", "stream")]);

  const { edit } = addFed("to", { x: 240, y: 0 }, document, RULES, [{ source: "orders", port: "result" }]);

  expect(ends(edit(document).graph.edges)).toEqual(["orders > to"]);
});

it.each([
  ["rows", "to", "stream", "to_stream"],
  ["orders", "count", "grouped", "group_by_key"],
])("repairs a refused edge from %s into %s in one step", (source, target, port, between) => {
  const document = documentOf([
    node("rows", "table"),
    node("orders", "stream"),
    node("to", "to", 600),
    node("count", "count", 600, 200),
  ]);

  const bridge = findBridge(wire(source, target, port), document, RULES);

  expect(bridge?.operator).toBe(between);
  const { graph } = bridge?.edit(document) ?? document;
  const id = between.replaceAll("_", "-");
  expect(ends(graph.edges)).toEqual([`${id} > ${target}`, `${source} > ${id}`].sort());
});

it("offers no repair where no single node helps", () => {
  const document = documentOf([node("everywhere", "global_table"), node("to", "to", 600)]);

  expect(findBridge(wire("everywhere", "to", "stream"), document, RULES)).toBeNull();
});
