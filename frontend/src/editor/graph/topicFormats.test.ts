import { expect, it } from "vitest";
import { findTopicFormats, isBinaryNumber } from "./topicFormats";

const COUNTS = {
  type: "KStream" as const,
  carries: {
    key: { format: "string", type: { kind: "string" } },
    value: { format: "long", type: { kind: "integer" } },
    window: null,
  } as const,
};

it("takes the formats of a sink from what arrives, unless its settings name others", () => {
  const flows = { inputs: { stream: COUNTS }, outputs: {} };

  expect(findTopicFormats({ config: {} }, flows)).toEqual({ key: "string", value: "long" });
  expect(findTopicFormats({ config: { value_format: "json" } }, flows)).toEqual({ key: "string", value: "json" });
  expect(findTopicFormats({ config: {} }, undefined)).toEqual({ key: null, value: null });
});

it("takes the formats of a source from what it gives", () => {
  expect(findTopicFormats({ config: {} }, { inputs: {}, outputs: { result: COUNTS } }).value).toBe("long");
});

it("knows which formats other programs cannot show", () => {
  expect((["long", "json", null] as const).map(isBinaryNumber)).toEqual([true, false, false]);
});
