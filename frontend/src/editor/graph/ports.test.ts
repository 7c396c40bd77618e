import { describe, expect, it } from "vitest";
import { documentOf, node, RULES, edge } from "../samples";
import type { GraphNode } from "../../api/types";
import { findLostPorts, followTypes, listInputs, listOpenCases, listOutputs, takesMany } from "./ports";

const { operators } = RULES;

function set(id: string, operator: string, config: GraphNode["config"]): GraphNode {
  return { ...node(id, operator), config };
}

describe("the ports of a node", () => {
  it("are one per row of a list, called as the row is named, and those it always has", () => {
    const branches = [{ name: "late" }, { name: "early" }];

    expect(listOutputs(set("s", "split", { branches }), operators).map(({ name }) => name)).toEqual([
      "late",
      "early",
      "default",
    ]);
    expect(listInputs(set("s", "split", {}), operators).map(({ name }) => name)).toEqual(["in"]);
  });

  it("are none for rows without a name, and each name once", () => {
    const inputs = [{ name: "a" }, {}, { name: "" }, null, { name: "a" }];

    expect(listInputs(set("c", "cogroup", { inputs }), operators).map(({ name }) => name)).toEqual(["a"]);
    expect(listInputs(set("c", "cogroup", { inputs: "a" }), operators)).toEqual([]);
  });

  it("are none of an operator nobody knows", () => {
    expect(listOutputs(node("x", "gone"), operators)).toEqual([]);
    expect(listOutputs(undefined, operators)).toEqual([]);
  });
});

describe("what an output gives", () => {
  it("is the first case that holds for what arrives", () => {
    const { graph } = documentOf(
      [node("s", "stream"), node("t", "table"), node("st", "join"), node("tt", "join")],
      [edge("s st", "left"), edge("t st", "right"), edge("t tt", "left"), edge("t tt", "right")],
    );

    expect(followTypes(graph, operators).findType("st", "out")).toBe("KStream");
    expect(followTypes(graph, operators).findType("tt", "out")).toBe("KTable");
    expect(followTypes(graph, operators).arriving("st")).toEqual({ left: "KStream", right: "KTable" });
  });

  it.each([
    [{ type: "session" }, "SessionWindowedKStream"],
    [{ type: "tumbling" }, "TimeWindowedKStream"],
    [{}, "TimeWindowedKStream"],
    [{ type: "none" }, null],
  ])("follows the config %o and what it falls back on", (config, type) => {
    const { graph } = documentOf(
      [node("s", "stream"), node("g", "group_by_key"), set("w", "windowed_by", config)],
      [edge("s g"), edge("g w")],
    );

    expect(followTypes(graph, operators).findType("w", "out")).toBe(type);
  });

  it("is not known while nothing arrives, at a port it does not have, and on a cycle", () => {
    const { graph } = documentOf([node("j", "join"), node("f"), node("g")], [edge("f g"), edge("g f")]);

    expect(followTypes(graph, operators).findType("j", "out")).toBeNull();
    expect(followTypes(graph, operators).findType("j", "gone")).toBeNull();
    expect(followTypes(graph, operators).findType("f", "out")).toBeNull();
  });

  it("may still be one of the cases that what is known allows", () => {
    const join = operators.get("join");
    const [output] = join?.outputs ?? [];
    if (join === undefined || output === undefined) throw new Error("The samples have a join.");
    const open = (arriving: Parameters<typeof listOpenCases>[3]) =>
      listOpenCases(output, join, {}, arriving).map(({ when }) => when.right);

    expect(open({ left: "KTable" })).toEqual(["KTable"]);
    expect(open({})).toHaveLength(3);
    expect(open({ left: "KTable", right: "KStream" })).toEqual([]);
  });
});

it("knows the ports that edges name and nodes do not have", () => {
  const { graph } = documentOf(
    [set("s", "split", { branches: [{ name: "big" }] }), node("out", "to"), node("m", "merge")],
    [{ ...edge("s out"), source_port: "small" }, { ...edge("s m"), source_port: "big" }],
  );

  expect([...findLostPorts(graph, operators)]).toEqual([["s", { inputs: [], outputs: ["small"] }]]);
});

it("knows where several edges may end", () => {
  const { graph } = documentOf([node("a", "stream"), node("m", "merge"), node("f")]);

  expect(takesMany(edge("a m"), graph, operators)).toBe(true);
  expect(takesMany(edge("a f"), graph, operators)).toBe(false);
  expect(takesMany(edge("a nobody"), graph, operators)).toBe(false);
});
