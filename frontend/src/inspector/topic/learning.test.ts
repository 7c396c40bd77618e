import { expect, it } from "vitest";
import type { Examples, Message } from "../../api/types";
import { schemaOf } from "../../editor/samples";
import { findNode, type Config, type Document } from "../../editor/document/document";
import type { RecordSchema } from "../../api/types";
import { canLearn, chooseTopic, learnFrom, tellsMore } from "./learning";

const INFERRED = schemaOf("integer");
const drawn = (config: Config, schemas: Document["schemas"] = {}): Document => ({
  graph: { nodes: [{ id: "flights", operator: "stream", config, position: { x: 0, y: 0 } }], edges: [] },
  schemas,
});
const examplesOf = (name: string, messages = 1): Examples => ({
  topic: { name, id: "1", partitions: 4 },
  cleanup: ["delete"],
  retention_ms: null,
  messages: Array<Message>(messages),
  doubts: [],
  has_registry: false,
  inferred: INFERRED,
});

it("another topic forgets what was learned of the old one", () => {
  const before = drawn({ topic: "flights", start: "latest" }, { flights: INFERRED });

  const after = chooseTopic("flights", "weather")(before);

  expect(findNode(after, "flights")?.config).toEqual({ topic: "weather", start: "latest" });
  expect(after.schemas).toEqual({});
  expect(findNode(chooseTopic("flights", undefined)(before), "flights")?.config).toEqual({ start: "latest" });
  expect(chooseTopic("flights", "flights")(before)).toBe(before);
});

it("a source learns what the examples of its topic show", () => {
  const after = learnFrom("flights", examplesOf("flights"))(drawn({ topic: "flights" }));

  expect(after.schemas).toEqual({ flights: INFERRED });
});

it.each<[string, Document, Examples]>([
  ["the node reads another topic by now", drawn({ topic: "weather" }), examplesOf("flights")],
  ["the topic holds nothing", drawn({ topic: "flights" }), examplesOf("flights", 0)],
  ["both types are declared", drawn({ topic: "flights", key_type: {}, value_type: {} }), examplesOf("flights")],
  ["it is what was learned before", drawn({ topic: "flights" }, { flights: INFERRED }), examplesOf("flights")],
])("nothing is learned where %s", (_, document, examples) => {
  expect(canLearn(document, "flights", examples)).toBe(false);
  expect(learnFrom("flights", examples)(document)).toBe(document);
});

it("one declared type leaves the other to learn", () => {
  expect(canLearn(drawn({ topic: "flights", value_type: {} }), "flights", examplesOf("flights"))).toBe(true);
});

const TEXT = { format: "string", type: { kind: "string" } } as const;
const OPEN = { format: "json", type: { kind: "any" } } as const;
const NUMBER = { format: "json", type: { kind: "integer" } } as const;
const shown: Examples = { ...examplesOf("flights"), inferred: { key: TEXT, value: NUMBER, window: null } };

it.each<[boolean, string, Config, RecordSchema]>([
  [true, "the value is not known", {}, { key: TEXT, value: OPEN, window: null }],
  [false, "all is as the examples show", {}, { key: TEXT, value: NUMBER, window: null }],
  [false, "the type is declared", { value_type: {} }, { key: TEXT, value: OPEN, window: null }],
  [false, "another format is chosen", { value_format: "long" }, { key: TEXT, value: OPEN, window: null }],
])("that the examples tell more is %s where %s", (more, _, config, now) => {
  expect(tellsMore(config, now, shown)).toBe(more);
});
