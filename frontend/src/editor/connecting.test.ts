import { describe, expect, it } from "vitest";
import { fitting, leadsTo, whyNot } from "./connecting";
import { drawing, graphOfWires, node, RULES, wire } from "./samples";

const { graph } = drawing(
  [node("s", "stream"), node("t", "table"), node("f"), node("j", "join"), node("out", "to")],
  [wire("s f")],
);

describe("a wire", () => {
  it("is legal where the types fit", () => {
    expect(whyNot(wire("f out"), graph, RULES)).toBeNull();
    expect(whyNot(wire("t j", "right"), graph, RULES)).toBeNull();
  });

  it("is refused with the reason where Kafka Streams would not compile", () => {
    expect(whyNot(wire("t out"), graph, RULES)?.message).toBe("A KTable cannot go into to.");
    expect(whyNot(wire("f j", "right"), graph, RULES)).toBeNull();
  });

  it("is refused at a port that is fed already", () => {
    expect(whyNot(wire("j f"), graph, RULES)?.message).toContain("`s` already feeds it");
  });

  it("is refused where records would go round", () => {
    const chain = graphOfWires("a b", "b c");

    expect(whyNot(wire("c a"), chain, RULES)?.message).toContain("make a loop");
    expect(leadsTo("a", "c", chain)).toBe(true);
    expect(leadsTo("c", "a", chain)).toBe(false);
  });

  it("is refused of a type not known yet where none that it may have would do", () => {
    const { graph: loose } = drawing([node("f"), node("n", "count"), node("g", "group_by_key")]);

    expect(whyNot(wire("f n"), loose, RULES)?.hint).toBe("Group it first.");
    expect(whyNot(wire("f g"), loose, RULES)).toBeNull();
  });

  it("is refused where no case allows the pair that then arrives", () => {
    const { graph: fed } = drawing([...graph.nodes, node("k", "join")], [wire("s f"), wire("t j", "left")]);

    expect(whyNot(wire("f j", "right"), fed, RULES)).toEqual({
      message: "join does not take a KTable with a KStream.",
      hint:
        "It takes a KStream as left and a KStream as right, or a KStream as left and a KTable as right, " +
        "or a KTable as left and a KTable as right.",
    });
    expect(whyNot(wire("t j", "right"), fed, RULES)).toBeNull();
    expect(whyNot(wire("t k", "left"), fed, RULES)).toBeNull();
  });

  it("may be one of many into a port that takes many, each once", () => {
    const { graph: fed } = drawing([...graph.nodes, node("m", "merge")], [wire("s m"), wire("s f")]);

    expect(whyNot(wire("f m"), fed, RULES)).toBeNull();
    expect(whyNot(wire("s m"), fed, RULES)?.message).toBe("`s` already feeds the `in` port of `m`.");
    expect(whyNot(wire("t m"), fed, RULES)?.message).toBe("A KTable cannot go into merge.");
  });

  it("into a port of a row is judged as the port it stands for", () => {
    const cogroup = { ...node("c", "cogroup"), config: { inputs: [{ name: "clicks" }] } };
    const { graph: drawn } = drawing([...graph.nodes, cogroup, node("g", "group_by_key")]);

    expect(whyNot(wire("s c", "clicks"), drawn, RULES)?.hint).toBe("Group it first.");
    expect(fitting("g", "out", "c", drawn, RULES)).toEqual(wire("g c", "clicks"));
  });

  it("of a type that depends on what arrives is refused where none it may have would do", () => {
    const nodes = [node("w", "windowed_by"), node("t", "table"), node("j", "join"), node("n", "to")];
    const { graph: drawn } = drawing(nodes, [wire("t j", "left")]);

    expect(whyNot(wire("j n"), drawn, RULES)?.message).toBe("A KTable cannot go into to.");
    expect(whyNot(wire("w n"), drawn, RULES)).toBeNull();
  });

  it("finds the port of a node that it fits", () => {
    expect(fitting("t", "out", "j", graph, RULES)).toEqual(wire("t j", "left"));
    expect(fitting("t", "out", "out", graph, RULES)).toBeNull();
  });
});
