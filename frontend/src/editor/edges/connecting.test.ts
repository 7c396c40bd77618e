import { describe, expect, it } from "vitest";
import { explainWhyNot, findFittingEdge, leadsTo } from "./connecting";
import { documentOf, graphOfEdges, node, RULES, edge } from "../samples";

const { graph } = documentOf(
  [node("s", "stream"), node("t", "table"), node("f"), node("j", "join"), node("out", "to")],
  [edge("s f")],
);

describe("an edge", () => {
  it("is legal where the types fit", () => {
    expect(explainWhyNot(edge("f out"), graph, RULES)).toBeNull();
    expect(explainWhyNot(edge("t j", "right"), graph, RULES)).toBeNull();
  });

  it("is refused with the reason where Kafka Streams would not compile", () => {
    expect(explainWhyNot(edge("t out"), graph, RULES)?.message).toBe("A KTable cannot go into to.");
    expect(explainWhyNot(edge("f j", "right"), graph, RULES)).toBeNull();
  });

  it("is refused at a port that is fed already", () => {
    expect(explainWhyNot(edge("j f"), graph, RULES)?.message).toBe("`in` of `f` is fed by `s`.");
  });

  it("is refused where records would circulate", () => {
    const chain = graphOfEdges("a b", "b c");

    expect(explainWhyNot(edge("c a"), chain, RULES)?.message).toBe("From `a` to `c` and back.");
    expect(leadsTo("a", "c", chain)).toBe(true);
    expect(leadsTo("c", "a", chain)).toBe(false);
  });

  it("is refused of a type not known yet where none that it may have would do", () => {
    const { graph: loose } = documentOf([node("f"), node("n", "count"), node("g", "group_by_key")]);

    expect(explainWhyNot(edge("f n"), loose, RULES)?.hint).toBe("Group it first.");
    expect(explainWhyNot(edge("f g"), loose, RULES)).toBeNull();
  });

  it("is refused where no case allows the pair that then arrives", () => {
    const { graph: fed } = documentOf([...graph.nodes, node("k", "join")], [edge("s f"), edge("t j", "left")]);

    expect(explainWhyNot(edge("f j", "right"), fed, RULES)).toEqual({
      code: "port.pair",
      message: "join does not take a KTable with a KStream.",
      hint: "It takes other pairs.",
    });
    expect(explainWhyNot(edge("t j", "right"), fed, RULES)).toBeNull();
    expect(explainWhyNot(edge("t k", "left"), fed, RULES)).toBeNull();
  });

  it("may be one of many into a port that takes many, each once", () => {
    const { graph: fed } = documentOf([...graph.nodes, node("m", "merge")], [edge("s m"), edge("s f")]);

    expect(explainWhyNot(edge("f m"), fed, RULES)).toBeNull();
    expect(explainWhyNot(edge("s m"), fed, RULES)?.message).toBe("`s` feeds `in` of `m`.");
    expect(explainWhyNot(edge("t m"), fed, RULES)?.message).toBe("A KTable cannot go into merge.");
  });

  it("into a port of a row is judged as the port it stands for", () => {
    const cogroup = { ...node("c", "cogroup"), config: { inputs: [{ name: "clicks" }] } };
    const { graph: drawn } = documentOf([...graph.nodes, cogroup, node("g", "group_by_key")]);

    expect(explainWhyNot(edge("s c", "clicks"), drawn, RULES)?.hint).toBe("Group it first.");
    expect(findFittingEdge("g", "out", "c", drawn, RULES)).toEqual(edge("g c", "clicks"));
  });

  it("of a type that depends on what arrives is refused where none it may have would do", () => {
    const nodes = [node("w", "windowed_by"), node("t", "table"), node("j", "join"), node("n", "to")];
    const { graph: drawn } = documentOf(nodes, [edge("t j", "left")]);

    expect(explainWhyNot(edge("j n"), drawn, RULES)?.message).toBe("A KTable cannot go into to.");
    expect(explainWhyNot(edge("w n"), drawn, RULES)).toBeNull();
  });

  it("finds the port of a node that it fits", () => {
    expect(findFittingEdge("t", "out", "j", graph, RULES)).toEqual(edge("t j", "left"));
    expect(findFittingEdge("t", "out", "out", graph, RULES)).toBeNull();
  });
});
