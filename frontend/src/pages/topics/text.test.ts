import { expect, it } from "vitest";
import type { TopicFacts } from "../../api/types";
import { computeRate, describeGroups, describeRetention, fits } from "./text";

const USE = { topology: 1, name: "Flight delays", node: "flights", job: 7, does: "reads", is_wanted: true } as const;
const TOPIC: TopicFacts = {
  name: "flights",
  is_internal: false,
  partitions: 4,
  replication: 1,
  records: 10,
  end: 10,
  bytes: 900,
  cleanup: ["delete"],
  retention_ms: 604_800_000,
  retention_bytes: null,
  uses: [USE],
  groups: [{ group: "flight-delays", state: "Empty", lag: 1_200, job: 7 }],
};

it("says how long records stay", () => {
  expect([
    describeRetention(TOPIC),
    describeRetention({ ...TOPIC, retention_ms: null }),
    describeRetention({ ...TOPIC, retention_bytes: 1_024 }),
    describeRetention({ ...TOPIC, cleanup: ["compact"] }),
    describeRetention({ ...TOPIC, cleanup: ["compact", "delete"] }),
    describeRetention({ ...TOPIC, cleanup: [], retention_ms: null }),
  ]).toEqual(["7 d", "forever", "7 d or 1.0 KiB a partition", "newest per key", "newest per key, 7 d", "–"]);
});

it("makes a rate of two looks", () => {
  const before = { at: 1_000, ends: { flights: 100 } };
  const now = { at: 3_000, ends: { flights: 140, planes: 3 } };

  expect([computeRate("flights", before, now), computeRate("planes", before, now), computeRate("flights", null, now)])
    .toEqual([20, null, null]);
  expect(computeRate("flights", now, { at: 4_000, ends: { flights: 0 } })).toBe(0);
});

it("finds a topic by its name and by who uses it", () => {
  expect(["FLIGHTS", "delays", "flight-d", "", "planes"].map((text) => fits(TOPIC, text)))
    .toEqual([true, true, true, true, false]);
});

it("sums up the groups", () => {
  expect([describeGroups(TOPIC), describeGroups({ ...TOPIC, groups: [] })]).toEqual(["1 group, lag 1,200", ""]);
  const idle = { group: "a", state: "Stable", lag: 0, job: null } as const;
  expect(describeGroups({ ...TOPIC, groups: [idle, idle] })).toBe("2 groups, no lag");
});
