import { expect, it } from "vitest";
import type { Selection } from "../../editor/interface/interfaceStore";
import type { Graph } from "../../api/types";
import { makeContentKey } from "../../editor/document/contentKey";
import { describeDrops, describeResult, findPlace, groupFailures, readOwnRecord, writeLines } from "./trying";

const node = (id: string, x = 0) => ({ id, operator: "any", config: {}, position: { x, y: 0 } });
const GRAPH: Graph = {
  nodes: [node("flights"), node("late"), node("out")],
  edges: [
    { source: "flights", source_port: "result", target: "late", target_port: "stream" },
    { source: "late", source_port: "big", target: "out", target_port: "stream" },
  ],
};
const PORTS: Readonly<Record<string, readonly string[]>> = { flights: ["result"], late: ["big", "default"] };
const portsOf = (id: string) => PORTS[id] ?? [];
const selected = (nodes: readonly string[], edges: readonly string[] = []): Selection => ({
  nodes: new Set(nodes),
  edges: new Set(edges),
});

it("looks at the first output of a node, and at what feeds one that has none", () => {
  expect(findPlace(GRAPH, selected(["late"]), portsOf)).toEqual({ node: "late", port: "big" });
  expect(findPlace(GRAPH, selected(["out"]), portsOf)).toEqual({ node: "late", port: "big" });
});

it("looks at the output an edge starts at", () => {
  expect(findPlace(GRAPH, selected([], ["late.big out.stream"]), portsOf)).toEqual({ node: "late", port: "big" });
});

it("looks at nothing where nothing or too much is selected, or nothing feeds the node", () => {
  expect(findPlace(GRAPH, selected([]), portsOf)).toBeNull();
  expect(findPlace(GRAPH, selected(["late", "out"]), portsOf)).toBeNull();
  expect(findPlace(GRAPH, selected(["late"], ["late.big out.stream"]), portsOf)).toBeNull();
  expect(findPlace({ ...GRAPH, edges: [] }, selected(["out"]), portsOf)).toBeNull();
});

it("sees no difference in where nodes stand", () => {
  const moved = { ...GRAPH, nodes: [node("flights", 99), node("late"), node("out")] };
  expect(makeContentKey({ graph: moved, schemas: {} })).toBe(makeContentKey({ graph: GRAPH, schemas: {} }));
});

const WHOLE = { key_length: null, value_length: null };

it("says how many of all are shown and what was tried", () => {
  const origin = { topic: "a", partition: 0, offset: 0 };
  const record = { ...WHOLE, key: null, window: null, value: "1", timestamp: 0, origin };
  const read = { flights: 200, airlines: 16 };
  expect(describeResult({ read, outputs: { result: { count: 1, records: [record] } } }, "result", false)).toBe(
    "1 record; tried on the newest 200 of flights, 16 of airlines",
  );
  const many = { result: { count: 1431, records: [record] } };
  expect(describeResult({ read: { flights: 2 }, outputs: many }, "result", false)).toBe(
    "the newest 1 of 1,431 records; tried on the newest 2 of flights",
  );
  expect(describeResult({ read: {}, outputs: {} }, "result", true)).toBe(
    "0 records; tried on your records, none gets here",
  );
});

it("says once why records failed", () => {
  const failure = (offset: number, message: string) => ({
    node: "flights",
    message,
    origin: { topic: "flights", partition: 0, offset },
  });

  const groups = groupFailures([failure(1, "not JSON"), failure(2, "no bytes"), failure(3, "not JSON")]);

  expect(groups.map((group) => group.map(({ origin }) => origin.offset))).toEqual([[1, 3], [2]]);
});

it("names what was dropped by node and reason", () => {
  expect(describeDrops({ counted: { late: 2, "null key": 1000 }, departed: { late: 1 } })).toBe(
    "`counted`: late 2, null key 1,000; `departed`: late 1",
  );
  expect(describeDrops({})).toBe("");
});

it("writes records as lines, the oldest first, and no digit is lost", () => {
  const origin = { topic: "flights", partition: 0, offset: 0 };
  const later = { ...WHOLE, key: null, window: null, value: '{"id":9007199254740993}', timestamp: 2, origin };
  const sooner = { ...WHOLE, key: '"a"', window: null, value: null, timestamp: 1, origin };

  const cut = { ...sooner, value: '"xx…', value_length: 40_000 };

  expect(writeLines([later, cut, sooner])).toBe(
    '{"topic": "flights", "key": "a", "value": null, "timestamp": 1}\n' +
      '{"topic": "flights", "key": null, "value": {"id":9007199254740993}, "timestamp": 2}\n',
  );
});

it("takes a record of one's own from its line", () => {
  const first = '{"topic": "a", "key": "k", "value": {"id": 9007199254740993}, "timestamp": 7}';
  const lines = `${first}\n\n{"topic": "a", "key": 5}\n`;
  expect(readOwnRecord(lines, 0)).toMatchObject({ key: "k", value: '{"id":9007199254740993}', timestamp: 7 });
  expect(readOwnRecord(lines, 1)).toMatchObject({ key: "5", value: null, timestamp: 0 });
  expect(readOwnRecord(lines, 2)).toBeNull();
});
