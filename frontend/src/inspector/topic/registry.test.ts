import { describe, expect, it } from "vitest";
import type { Examples, TopicSchema, Type } from "../../api/types";
import { findNode, type Config, type Document } from "../../editor/document/document";
import {
  canTake,
  describeNewer,
  describeOffer,
  findOffers,
  followOffers,
  isTaken,
  isWritten,
  listOffers,
  listRecordTypes,
  makeBranches,
  readShape,
  takeOffer,
  writeSchema,
  writeWithOffer,
} from "./registry";

const ORDER: TopicSchema = {
  side: "value",
  subject: "orders-value",
  version: 3,
  id: 7,
  kind: "AVRO",
  text: '{"name":"Order"}',
  records: 5,
  newest: 4,
  changes: ["adds `note` (string)"],
  messages: [],
  type: null,
};
const OLD: TopicSchema = { ...ORDER, version: 2, id: 6 };
const REFUND: TopicSchema = {
  ...ORDER,
  subject: "shop.Refund",
  version: 1,
  id: 9,
  text: '{"name":"Refund"}',
  newest: 1,
  changes: [],
  messages: [],
  type: null,
};

const drawn = (config: Config): Document => ({
  graph: { nodes: [{ id: "orders", operator: "stream", config, position: { x: 0, y: 0 } }], edges: [] },
  schemas: {},
});

describe("schemas of a registry", () => {
  it("are offered by side, the newest version of each record type", () => {
    const key: TopicSchema = { ...ORDER, side: "key", subject: "orders-key" };

    expect(listOffers([ORDER, OLD, key, REFUND])).toEqual([
      { side: "key", schemas: [key] },
      { side: "value", schemas: [ORDER, REFUND] },
    ]);
  });

  it.each([
    ["JSON", "json_schema"],
    ["PROTOBUF", "protobuf"],
  ] as const)("of %s are taken one at a time", (kind, format) => {
    const json: TopicSchema = { ...ORDER, kind, text: "{}" };
    const config = findNode(takeOffer("orders", { side: "value", schemas: [json] })(drawn({})), "orders")?.config;

    expect(canTake({ side: "value", schemas: [json] })).toBe(true);
    expect(canTake({ side: "value", schemas: [json, { ...json, subject: "other" }] })).toBe(false); // without names
    expect(config?.value_format).toBe(format);
  });

  it("become the node's settings in one step, and replace what described the side before", () => {
    const before = { topic: "orders", value_type: { kind: "any" }, value_writer_schemas: [], key_format: "string" };
    const offer = { side: "value" as const, schemas: [ORDER] };

    const config = findNode(takeOffer("orders", offer)(drawn(before)), "orders")?.config;

    expect(config).toEqual({
      topic: "orders",
      key_format: "string",
      value_format: "avro",
      value_schema: ORDER.text,
      value_schema_id: 7,
      avro_header: "confluent",
      schema_registry: true,
    });
    expect(config !== undefined && isTaken(config, offer)).toBe(true);
    expect(isTaken(before, offer)).toBe(false);
  });

  it("of several record types become a union", () => {
    const offer = { side: "value" as const, schemas: [ORDER, REFUND] };

    expect(writeSchema(offer)).toBe('[{"name":"Order"}, {"name":"Refund"}]');
    expect(findNode(takeOffer("orders", offer)(drawn({})), "orders")?.config.value_schema_id).toBeUndefined();
    expect(describeOffer(offer)).toBe("`orders-value` version 3, id 7; `shop.Refund` version 1, id 9.");
  });

  it("of several record types of JSON Schema become one schema, in which each keeps its own references", () => {
    const one = { ...ORDER, kind: "JSON", text: '{"title":"Order","type":"object"}' } as const;
    const other = { ...REFUND, kind: "JSON", text: '{"$id":"https://shop/refund","title":"A/b"}' } as const;
    const offer = { side: "value" as const, schemas: [one, other] };

    expect(canTake(offer)).toBe(true);
    expect(canTake({ side: "value", schemas: [one, { ...other, text: "{}" }] })).toBe(false);
    expect(canTake({ side: "value", schemas: [one, { ...other, text: '{"title":"B","$schema":"x"}' }] })).toBe(false);
    expect(listRecordTypes(offer)).toEqual(["Order", "A/b"]);
    expect(JSON.parse(writeSchema(offer))).toEqual({
      anyOf: [{ $ref: "#/definitions/Order" }, { $ref: "#/definitions/A~1b" }],
      definitions: {
        Order: { $id: "http://schema.local/Order", title: "Order", type: "object" },
        "A/b": { $id: "https://shop/refund", title: "A/b" },
      },
    });
  });

  it("of several messages of Protobuf become one text, and the messages that records hold", () => {
    const money = "\n// file: money.proto\nmessage Money {}";
    const one = { ...ORDER, kind: "PROTOBUF", text: `message Order {}${money}`, messages: ["Order"] } as const;
    const other = { ...REFUND, kind: "PROTOBUF", text: `message Refund {}${money}`, messages: ["Refund"] } as const;
    const offer = { side: "value" as const, schemas: [one, other] };
    const config = findNode(takeOffer("orders", offer)(drawn({})), "orders")?.config ?? {};

    expect(canTake(offer)).toBe(true);
    expect(config.value_message).toBe("Order, Refund");
    expect(config.value_schema).toBe(
      "message Order {}\n// file: money.proto\nmessage Money {}\n// file: shop.Refund.proto\nmessage Refund {}",
    );
    expect(isTaken(config, offer)).toBe(true);
    expect(listRecordTypes(offer)).toEqual(["Order", "Refund"]);
    const changed = { ...other, text: "message Refund {}\n// file: money.proto\nmessage Coin {}" };
    expect(canTake({ side: "value", schemas: [one, changed] })).toBe(false);
  });

  it("of one schema of Protobuf name the messages that its records hold", () => {
    const both = { ...ORDER, kind: "PROTOBUF", text: "message A {} message B {}", messages: ["A", "B"] } as const;
    const offer = { side: "value" as const, schemas: [both] };
    const taken = (config: Config) => isTaken({ value_schema: both.text, schema_registry: true, ...config }, offer);

    expect(listRecordTypes(offer)).toEqual(["A", "B"]);
    expect([taken({}), taken({ value_message: "A, B" })]).toEqual([false, true]);
  });

  it("say by which strategy their subjects are named, unless that is the one of topics", () => {
    const named = (subject: string, before: Config = {}) => {
      const offer = { side: "value" as const, schemas: [{ ...ORDER, subject }] };
      return findNode(takeOffer("orders", offer)(drawn({ topic: "orders", ...before })), "orders")?.config
        .subject_strategy;
    };

    expect(named("orders-value")).toBeUndefined();
    expect(named("Order")).toBe("record");
    expect(named("orders-Order")).toBe("topic_record");
    expect(named("Order", { subject_strategy: "by_hand" })).toBe("by_hand");
  });

  it("tell what a newer version changes", () => {
    expect(describeNewer({ side: "value", schemas: [ORDER, REFUND] })).toEqual([
      "`orders-value` has a newer version 4. It adds `note` (string).",
    ]);
  });

  it("become those of a sink, which then takes the latest", () => {
    const offer = { side: "value" as const, schemas: [ORDER] };
    const config = findNode(writeWithOffer("orders", offer)(drawn({ topic: "orders" })), "orders")?.config;

    expect(config).toEqual({
      topic: "orders",
      value_format: "avro",
      value_schema: ORDER.text,
      schema_registry: "latest",
    });
    expect(config !== undefined && isWritten(config, offer)).toBe(true);
    const required = { ...config, value_schema: "other", schema_registry: "require" };
    const after = findNode(writeWithOffer("orders", offer)(drawn(required)), "orders")?.config;
    expect(after?.schema_registry).toBe("require");
  });

  it("of several record types give a branch for each type", () => {
    const text = '{"name":"Order","namespace":"shop"}';
    const offer = { side: "value" as const, schemas: [{ ...ORDER, text }, { ...REFUND, text: '{"name":"eu.Order"}' }] };

    expect(listRecordTypes({ side: "value", schemas: [ORDER] })).toEqual([]);
    expect(makeBranches(listRecordTypes(offer))).toEqual([
      { name: "order", type: "shop.Order" },
      { name: "order_2", type: "eu.Order" },
    ]);
  });
});

describe("schemas that the newest records name", () => {
  const bytes = { format: "bytes", type: { kind: "bytes" } } as const;
  const text = { format: "string", type: { kind: "string" } } as const;
  const inferred = { key: text, value: bytes, window: null };
  const messages = [{}] as unknown as Examples["messages"];
  const type = { kind: "struct", fields: [{ name: "amount", type: { kind: "integer" } }] } as unknown as Type;
  const offer = { side: "value", schemas: [ORDER] } as const;

  it("are found for bytes that say nothing themselves", () => {
    expect(findOffers({ inferred, messages }, [ORDER, { ...ORDER, side: "key" }])).toEqual([offer]);
    expect(findOffers({ inferred: { ...inferred, value: text }, messages }, [ORDER])).toEqual([]);
    expect(findOffers({ inferred, messages }, [{ ...ORDER, records: 0 }])).toEqual([]);
    expect(findOffers({ inferred, messages: [] }, [ORDER])).toEqual([]);
  });

  it("give their fields", () => {
    const shape = readShape(inferred, [{ side: "value", schemas: [{ ...ORDER, type }] }]);

    expect(shape).toEqual({ key: text, value: { format: "avro", type }, window: null });
    expect(readShape(inferred, [offer])).toEqual(inferred);
  });

  it("are read by a source that describes nothing itself, and go with its topic", () => {
    const config = (document: Document) => findNode(document, "orders")?.config;
    const taken = followOffers("orders", "orders", [offer])(drawn({ topic: "orders", on_error: "skip" }));
    const described = drawn({ topic: "orders", value_format: "bytes" });
    const chosen = { ...config(taken), topic: "names" };

    expect(config(taken)).toMatchObject({ value_format: "avro", value_schema: ORDER.text, schema_registry: true });
    expect(followOffers("orders", "orders", [offer])(described)).toBe(described);
    expect(followOffers("orders", "other", [offer])(taken)).toBe(taken);
    expect(config(followOffers("orders", "names", [])(drawn(chosen)))).toEqual({ topic: "names", on_error: "skip" });
    expect(config(followOffers("orders", "names", [{ ...offer, schemas: [REFUND] }])(drawn(chosen)))).toMatchObject({
      value_schema: REFUND.text,
    });
  });
});
