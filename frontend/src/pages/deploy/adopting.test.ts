import { expect, test } from "vitest";
import type { StreamsApplication, ApplicationComparison } from "../../api/types";
import { describeCompared, describeGroup, nameOutcome } from "./adopting";

const STOPPED: StreamsApplication = {
  name: "orders",
  state: "Empty",
  is_running: false,
  guarantee: "exactly_once",
  inputs: [],
  stores: [],
  unmatched: [],
  waiting: {},
  problems: [],
  notes: [],
};

test("a group is stopped, running or unknown", () => {
  expect(describeGroup(STOPPED)).toBe("The group orders has no members. It uses exactly-once processing.");
  expect(describeGroup({ ...STOPPED, state: "Stable", is_running: true, guarantee: null })).toBe(
    "The group orders runs: Stable.",
  );
  expect(describeGroup({ ...STOPPED, state: null })).toBe("Kafka knows no group orders.");
});

test("each difference names the key and both values", () => {
  const compared: ApplicationComparison = {
    application: "orders",
    records: 3,
    is_equal: false,
    limits: ["The application was running."],
    topics: {
      totals: {
        keys: 2,
        equal: 1,
        other_value: 0,
        missing: 1,
        extra: 0,
        examples: [{ grade: "missing", key: '"a"', application: "2", drawing: null }],
      },
    },
  };

  expect(nameOutcome(compared)).toBe("Some keys have another last value");
  expect(nameOutcome({ ...compared, topics: {} })).toBe("Nothing was compared");
  expect(describeCompared(compared)).toEqual([
    "The drawing has processed 3 records.",
    "`totals`: 1 of 2 keys equal.",
    '"a": the application has 2, the drawing nothing.',
    "The application was running.",
  ]);
});
