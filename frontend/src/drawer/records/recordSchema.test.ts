import { expect, it } from "vitest";
import { describeSchema } from "./recordSchema";

it("names the subject, version and id of a record's schema", () => {
  const schema = { id: 7, kind: "AVRO", subject: "orders-value", version: 3 };

  expect(describeSchema(schema)).toBe("Schema orders-value version 3, id 7");
  expect(describeSchema({ ...schema, subject: null, version: null })).toBe("Schema id 7");
});
