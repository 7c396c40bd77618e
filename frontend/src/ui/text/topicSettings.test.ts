import { expect, it } from "vitest";
import { describeSetting, findUnlimited } from "./topicSettings";

const NEVER = "9223372036854775807";

it("names limits that are never reached", () => {
  const unlimited = [
    ["retention.ms", "-1"],
    ["retention.bytes", "-1"],
    ["retention.ms", NEVER],
    ["max.compaction.lag.ms", NEVER],
    ["message.timestamp.after.max.ms", NEVER],
  ] as const;

  expect(unlimited.map(([name, value]) => describeSetting(name, value))).toEqual(unlimited.map(() => "no limit"));
  expect(describeSetting("flush.ms", NEVER)).toContain("operating system");
  expect(describeSetting("local.retention.ms", "-2")).toBe("as retention.ms");
});

it("writes times, sizes and large numbers for people", () => {
  expect([
    describeSetting("retention.ms", "604800000"),
    describeSetting("segment.bytes", "1073741824"),
    describeSetting("max.message.bytes", "1048588"),
    describeSetting("flush.messages", "10000"),
  ]).toEqual(["7 d", "1.0 GiB", "1.0 MiB", "10,000"]);
});

it("leaves values that say what they mean", () => {
  expect([
    describeSetting("cleanup.policy", "compact,delete"),
    describeSetting("min.insync.replicas", "2"),
    describeSetting("retention.ms", "seven days"),
    describeSetting("remote.copy.lag.bytes", "-1"),
    describeSetting("compression.type", null),
  ]).toEqual([null, null, null, null, null]);
});

it("knows which settings can be without a limit", () => {
  expect([findUnlimited("retention.ms"), findUnlimited("max.compaction.lag.ms"), findUnlimited("segment.ms")])
    .toEqual(["-1", NEVER, null]);
});
