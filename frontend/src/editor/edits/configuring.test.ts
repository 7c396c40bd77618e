import { describe, expect, it } from "vitest";
import { configureNode, findFreeName, makeFirstConfig, toSingular } from "./configuring";
import type { Document } from "../document/document";
import { documentOf, node, RULES, edge } from "../samples";

const split = RULES.operators.get("split");
const rows = (...names: (string | undefined)[]) => names.map((name) => (name === undefined ? {} : { name }));
const from = (port: string, target: string) => ({ ...edge(`s ${target}`), source_port: port });
const drawn = documentOf(
  [{ ...node("s", "split"), config: { branches: rows("big", "small") } }, node("a"), node("b"), node("c")],
  [from("big", "a"), from("small", "b"), from("default", "c")],
);

function branches(document: Document, ...names: (string | undefined)[]): Document {
  return configureNode("s", { branches: rows(...names) }, split)(document);
}

function ports({ graph }: Document): readonly string[] {
  return graph.edges.map(({ source_port, target }) => `${source_port} ${target}`);
}

describe("the edges of a node", () => {
  it("follow a row to its new name", () => {
    expect(ports(branches(drawn, "big", "little"))).toEqual(["big a", "little b", "default c"]);
  });

  it("follow a name through having none, or one that is taken, while it is typed", () => {
    const typed = [undefined, "b", "big", "bigger", "default", "defaults"];

    const after = typed.reduce((document, name) => branches(document, "big", name), drawn);

    expect(ports(after)).toEqual(["big a", "defaults b", "default c"]);
  });

  it("go with a row that is removed", () => {
    expect(ports(branches(drawn, "small"))).toEqual(["small b", "default c"]);
  });

  it("stay where rows change places or a row is added", () => {
    expect(branches(drawn, "small", "big").graph.edges).toBe(drawn.graph.edges);
    expect(branches(drawn, "big", "small", "more").graph.edges).toBe(drawn.graph.edges);
  });

  it("of inputs follow too", () => {
    const cogroup = { ...node("c", "cogroup"), config: { inputs: rows("one") } };
    const { graph } = documentOf([node("g", "group_by_key"), cogroup], [edge("g c", "one")]);

    const renamed = configureNode("c", { inputs: rows("clicks") }, RULES.operators.get("cogroup"));

    const after = renamed({ graph, schemas: {} });

    expect(after.graph.edges).toEqual([edge("g c", "clicks")]);
  });
});

it("begins with a row where rows are ports", () => {
  expect(makeFirstConfig(split)).toEqual({ branches: [{ name: "branch-1" }] });
  expect(makeFirstConfig(RULES.operators.get("cogroup"))).toEqual({ inputs: [{ name: "input-1" }] });
  expect(makeFirstConfig(RULES.operators.get("filter"))).toEqual({});
});

it("names one more row", () => {
  expect(findFreeName("branches", rows("branch-2"))).toBe("branch-3");
  expect(["Branches", "stores", "fields", "indexes"].map(toSingular)).toEqual(["Branch", "store", "field", "index"]);
});
