import { expect, it } from "vitest";
import type { Operator } from "../../api/types";
import { operator as declared } from "../../editor/samples";
import { findOperators, groupByFamily } from "./search";

function operator(name: string, family: Operator["family"], help: string, kafka_names: string[] = []): Operator {
  return { ...declared(name, {}), family, help, kafka_names };
}

const operators = [
  operator("map_values", "stateless", "Change the value of each record; key and time stay."),
  operator("to", "sinks", "Write the records of a KStream to a topic."),
  operator("to_stream", "table", "Turn a KTable into the KStream of its updates."),
  operator("stream", "sources", "Read a topic as a KStream: each record is an event of its own."),
];

it.each(["mapValues", "map_values", "map values", "change the value"])("finds map_values by %j", (search) => {
  expect(findOperators(operators, search)[0]?.name).toBe("map_values");
});

it.each([
  ["filterNot", "filter_not"],
  ["flatMapValues", "flat_map_values"],
  ["toTable", "to_table"],
  ["groupBy", "group_by"],
  ["branch", "split"],
  ["flatTransform", "split"],
])("finds by the Java name %s the operator %s", (search, name) => {
  const names = ["filter", "filter_not", "flat_map_values", "to", "to_table", "group_by_key", "group_by"];
  const split = operator("split", "stateless", "", ["branch", "flatTransformValues"]);
  const all = [...names.map((each) => operator(each, "stateless", "")), split];

  expect(findOperators(all, search)[0]?.name).toBe(name);
});

it("puts what the first sentence says before what is said later", () => {
  const late = operator("a", "join", "Do this. It drops late records.");
  const first = operator("b", "join", "Drop late records.");

  expect(findOperators([late, first], "late records").map(({ name }) => name)).toEqual(["b", "a"]);
});

it("puts the exact name first, then names, then help", () => {
  expect(findOperators(operators, "to").map(({ name }) => name)).toEqual(["to", "to_stream", "stream"]);
});

it("finds nothing where nothing fits, and everything without a search", () => {
  expect(findOperators(operators, "quicksort")).toEqual([]);
  expect(findOperators(operators, " ")).toHaveLength(4);
});

it("groups in the order of the catalogue", () => {
  expect(groupByFamily(operators).map(({ name }) => name)).toEqual(["stateless", "sinks", "table", "sources"]);
});
