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
    expect(whyNot(wire("t j", "table"), graph, RULES)).toBeNull();
  });

  it("is refused with the reason where Kafka Streams would not compile", () => {
    expect(whyNot(wire("t out"), graph, RULES)?.message).toBe("A KTable cannot go into to.");
    expect(whyNot(wire("f j", "table"), graph, RULES)?.hint).toBe("Use its stream port.");
  });

  it("is refused at a port that is fed already", () => {
    expect(whyNot(wire("j f"), graph, RULES)?.message).toContain("`s` feeds it");
  });

  it("is refused where records would go round", () => {
    const chain = graphOfWires("a b", "b c");

    expect(whyNot(wire("c a"), chain, RULES)?.message).toContain("go round for ever");
    expect(leadsTo("a", "c", chain)).toBe(true);
    expect(leadsTo("c", "a", chain)).toBe(false);
  });

  it("is refused of a type not known yet where none that it may have would do", () => {
    const { graph: loose } = drawing([node("f"), node("n", "count"), node("g", "group_by_key")]);

    expect(whyNot(wire("f n"), loose, RULES)?.hint).toBe("Group it first.");
    expect(whyNot(wire("f g"), loose, RULES)).toBeNull();
  });

  it("finds the port of a node that it fits", () => {
    expect(fitting("t", "out", "j", graph, RULES)).toEqual(wire("t j", "table"));
    expect(fitting("t", "out", "out", graph, RULES)).toBeNull();
  });
});
