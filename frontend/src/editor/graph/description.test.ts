import { describe, expect, it } from "vitest";
import { isDescription, parseImport } from "./description";

const TEXT = "Topologies:\n   Sub-topology: 0\n    Source: orders (topics: [orders])\n      --> none\n";

describe("a description of Kafka Streams", () => {
  it("is known by its first lines, whatever a log puts in front", () => {
    expect(isDescription(TEXT)).toBe(true);
    expect(isDescription(`\r\n 12:00:01 INFO my.App - ${TEXT.replaceAll("\n", "\r\n")}`)).toBe(true);
    expect(isDescription("topologies")).toBe(false);
    expect(isDescription('{"streamwright": 1}')).toBe(false);
    expect(isDescription("")).toBe(false);
  });

  it("is known as JSON, quoted, in lower case and without its first line", () => {
    expect(isDescription(JSON.stringify([TEXT]))).toBe(true);
    expect(isDescription(JSON.stringify(TEXT).slice(1, -1))).toBe(true);
    expect(isDescription(TEXT.replaceAll(/^/gm, "> ").toLowerCase())).toBe(true);
    expect(isDescription(TEXT.replace("Topologies:\n", ""))).toBe(true);
    expect(isDescription(JSON.stringify({ streamwright: 1, notes: [TEXT] }))).toBe(false);
  });

  it("is imported under the name of its file", () => {
    expect(parseImport(TEXT, "large orders.v2.txt")).toEqual({ description: TEXT, name: "large orders.v2" });
    expect(parseImport(TEXT)).toEqual({ description: TEXT });
    expect(parseImport(TEXT, ".txt")).toEqual({ description: TEXT });
  });
});

describe("what import reads", () => {
  it("is an export as well", () => {
    expect(parseImport('{"streamwright": 1}', "orders.json")).toEqual({ streamwright: 1 });
  });

  it("is nothing else", () => {
    expect(parseImport("orders", "orders.txt")).toBeNull();
  });
});
