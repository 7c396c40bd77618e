import { describe, expect, it } from "vitest";
import { EMPTY, type Document } from "../../editor/document/document";
import { addEdit, startHistory } from "../../editor/document/history";
import { operator } from "../../editor/samples";
import type { Type } from "../../api/types";
import type { Operators } from "../../editor/graph/ports";
import { findCategory, findMeasure, findThreshold, listFields, nameField } from "./fields";
import type { Offer } from "../../inspector/topic/registry";
import * as all from "./proposals";
import { makeReadProposal, type Proposal, type TopicExamples } from "./proposals";

const result = [{ name: "result" }];
const takes = (...names: string[]) => names.map((name) => ({ name, takes: [] }));
const OPERATORS: Operators = new Map(
  [
    operator("stream", { first_step: "read", outputs: result }),
    operator("global_table", { first_step: "hold", outputs: result }),
    operator("filter", { first_step: "keep", inputs: takes("records"), outputs: result }),
    operator("select_key", { first_step: "rekey", inputs: takes("stream"), outputs: result }),
    operator("group_by_key", { first_step: "group", inputs: takes("stream"), outputs: result }),
    operator("count", { first_step: "count", inputs: takes("grouped"), outputs: result }),
    operator("to_stream", { first_step: "unroll", inputs: takes("table"), outputs: result }),
    operator("left_join", { first_step: "look_up", inputs: takes("left", "right"), outputs: result }),
    operator("to", { first_step: "write", inputs: takes("stream") }),
  ].map((one) => [one.name, one]),
);
const proposalsFor = (examples: TopicExamples, topics: readonly string[]) =>
  all.makeProposals(examples, topics, OPERATORS);
const lookUp = (examples: TopicExamples, table: TopicExamples, topics: readonly string[]) =>
  all.lookUp(examples, table, topics, OPERATORS);

const KINDS: Readonly<Record<string, Type["kind"]>> = { number: "integer", string: "string", boolean: "boolean" };

type Keyed = readonly [string | null, Record<string, unknown>];

function examplesOf(topic: string, records: readonly Keyed[]): TopicExamples {
  const fields = Object.entries(records[0]?.[1] ?? {}).map(([name, value]) => ({
    name,
    type: { kind: KINDS[typeof value] ?? "any" },
  }));
  const value = { format: "json", type: { kind: "struct", fields } } as const;
  return {
    topic: { name: topic },
    messages: records.map(([key, value]) => ({ key, value: JSON.stringify(value), is_value_base64: false })),
    inferred: { key: { format: "string", type: { kind: "string" } }, value, window: null },
  };
}

const flights = examplesOf("flights", [
  ["N1", { year: 2013, dep_time: 1325, dep_delay: -5, carrier: "DL", tailnum: "N1", origin: "JFK", at: "2013-02-01" }],
  ["N2", { year: 2013, dep_time: 1328, dep_delay: -2, carrier: "WN", tailnum: "N2", origin: "EWR", at: "2013-02-01" }],
  ["N3", { year: 2013, dep_time: 1410, dep_delay: 29, carrier: "UA", tailnum: "N3", origin: "EWR", at: "2013-02-01" }],
]);
const airlines = examplesOf("airlines", [
  ["DL", { carrier: "DL", name: "Delta", year: 1924 }],
  ["UA", { carrier: "UA", name: "United", year: 1926 }],
]);

function documentOf(proposal: Proposal | null | undefined): Document {
  return proposal?.edit(EMPTY) ?? EMPTY;
}

describe("first steps with a topic", () => {
  it("are to count per key, to keep what is high, to count per group", () => {
    expect(proposalsFor(flights, ["flights"]).map(({ title, path }) => [title, path])).toEqual([
      ["Count per key", "stream → group_by_key → count → to_stream → to"],
      ["Keep only `dep_delay > 10`", "stream → filter → to"],
      ["Count per `origin`", "stream → select_key → group_by_key → count → to_stream → to"],
    ]);
  });

  it("are drawn whole: connected, left to right, with the schema of the source", () => {
    const { graph, schemas } = documentOf(proposalsFor(flights, ["flights"])[1]);

    expect(graph.nodes.map(({ id, position }) => [id, position.x, position.y])).toEqual([
      ["flights", 0, 0],
      ["high-dep-delay", 240, 0],
      ["flights-kept", 480, 0],
    ]);
    expect(graph.edges).toEqual([
      { source: "flights", source_port: "result", target: "high-dep-delay", target_port: "records" },
      { source: "high-dep-delay", source_port: "result", target: "flights-kept", target_port: "stream" },
    ]);
    expect(graph.nodes[1]?.config).toEqual({ predicate: "dep_delay > 10" });
    expect(schemas).toEqual({ flights: flights.inferred });
  });

  it("write a topic of their own", () => {
    const { graph } = documentOf(proposalsFor(flights, ["flights", "flights-kept", "flights-kept-2"])[1]);

    expect(graph.nodes.at(-1)).toMatchObject({ id: "flights-kept-3", config: { topic: "flights-kept-3" } });
  });

  it("are one step of undo", () => {
    const [first] = proposalsFor(flights, []);

    const history = addEdit(startHistory(EMPTY), documentOf(first), null, 0);

    expect(history.past).toEqual([EMPTY]);
  });

  it("count per key only where there are keys, and give text keys where the topic has none", () => {
    const keyless = examplesOf("clicks", [
      [null, { page: "a" }],
      [null, { page: "b" }],
    ]);
    const inferred = { ...keyless.inferred, key: { format: "json", type: { kind: "any" } } } as const;

    const [only, ...others] = proposalsFor({ ...keyless, inferred }, []);

    expect([only?.title, others]).toEqual(["Count per `page`", []]);
    expect(documentOf(only).graph.nodes[1]?.config).toEqual({ key: "page", key_format: "string" });
  });

  it("can be only to read it", () => {
    expect(documentOf(makeReadProposal(flights, OPERATORS)).graph.nodes).toEqual([
      { id: "flights", operator: "stream", config: { topic: "flights" }, position: { x: 0, y: 0 } },
    ]);
  });
});

describe("looking something up", () => {
  it("joins the table whose key a field holds", () => {
    const { graph, schemas } = documentOf(lookUp(flights, airlines, []));

    expect(graph.nodes.map(({ id, operator }) => [id, operator])).toEqual([
      ["flights", "stream"],
      ["with-airlines", "left_join"],
      ["flights-with-airlines", "to"],
      ["airlines", "global_table"],
    ]);
    expect(graph.nodes[1]?.config).toEqual({
      key: "carrier",
      fields: [
        { name: "name", expression: "right.name" },
        { name: "airlines_year", expression: "right.year" },
      ],
    });
    expect(graph.edges).toContainEqual({
      source: "airlines",
      source_port: "result",
      target: "with-airlines",
      target_port: "right",
    });
    expect(Object.keys(schemas)).toEqual(["flights", "airlines"]);
  });

  it("is not proposed where no field fits", () => {
    expect(lookUp(airlines, flights, [])).toBeNull();
    expect(lookUp(flights, examplesOf("weather", [["JFK-1", { origin: "JFK" }]]), [])).toBeNull();
  });
});

describe("the fields of examples", () => {
  const fields = listFields(flights.inferred, flights.messages);

  it("hold a measure, which is no date and no name", () => {
    expect(findMeasure(fields)?.name).toBe("dep_delay");
    expect(findMeasure(fields.filter(({ name }) => name !== "dep_delay"))).toBeNull();
  });

  it("hold a category, which is neither the key nor a time", () => {
    expect(findCategory(fields, ["N1", "N2", "N3"])?.name).toBe("origin");
  });

  it("are parted by a round number that some pass and some do not", () => {
    expect(findThreshold([-5, -2, 29])).toBe(10);
    expect(findThreshold([100, 640, 115, 760])).toBe(400);
    expect(findThreshold([0.2, 0.4])).toBe(0.3);
    expect(findThreshold([98, 99])).toBe(98.5);
    expect(findThreshold([-5, "many", -2, 29])).toBe(10);
  });

  it("are named so that nothing else is meant", () => {
    expect(nameField("origin")).toBe("origin");
    expect(nameField("key")).toBe("value.key");
    expect(nameField("dep delay")).toBe("value.`dep delay`");
    expect(nameField("order")).toBe("order");
    expect(nameField("Between")).toBe("value.`Between`");
  });
});

it("proposes by the fields of a registry's schema, and reads with it", () => {
  const { inferred, messages, topic } = flights;
  const { type } = inferred.value;
  const schema = { side: "value", kind: "AVRO", text: '{"name":"Flight"}', id: 1, messages: [], type };
  const value = { format: "bytes", type: { kind: "bytes" } } as const;
  const offers = [{ side: "value", schemas: [schema] }] as unknown as readonly Offer[];
  const framed: TopicExamples = { topic, messages, inferred: { ...inferred, value }, offers };

  const titles = (examples: TopicExamples) => proposalsFor(examples, []).map(({ title }) => title);
  expect(titles(framed)).toEqual(titles(flights));
  const [source] = documentOf(makeReadProposal(framed, OPERATORS)).graph.nodes;
  expect(source?.config).toMatchObject({ value_format: "avro", value_schema: schema.text, schema_registry: true });
});
