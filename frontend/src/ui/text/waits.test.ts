import { describe, expect, it } from "vitest";
import { SOURCE } from "../../live/samples";
import { countWaiting, describeWait, nameAwaitedSchema } from "./waits";

describe("records behind an open transaction", () => {
  it("are told in a sentence where they are held up", () => {
    const held = { ...SOURCE, held_up: 512 };
    const passing = { ...SOURCE, total_waiting: 3, waiting_s: 0 };

    expect(countWaiting([held, passing, {}])).toBe(512);
    expect(describeWait([held])).toBe("512 records wait behind an open transaction");
    expect(describeWait([{ held_up: 1 }])).toBe("1 record waits behind an open transaction");
    expect(describeWait([passing])).toBe("");
  });

  it("are told with the schema that the registry did not give", () => {
    const since = new Date(2026, 0, 2, 3, 4, 5).getTime();
    const awaits_schema = { partition: 1, offset: 7, id: 12, why: "It is away.", since, partitions: [1, 3] };

    expect(describeWait([{}, { awaits_schema }])).toMatch(
      /^Records of partitions 1, 3 wait for schema 12 since 2 Jan 2026.* 03:04:05: It is away\.$/,
    );
    expect(nameAwaitedSchema([{}, { awaits_schema }])).toBe("awaits schema 12");
    expect(nameAwaitedSchema([{}, { awaits_schema: null }])).toBe("");
  });

  it("are told apart from those that are read again", () => {
    expect(describeWait([{ ...SOURCE, rereads: 720_000 }])).toBe(
      "720,000 records are read again only to build the state, because the results are already written",
    );
  });

  it("are told with the producer where it is known", () => {
    const since = new Date(2026, 0, 2, 3, 4, 5).getTime();
    const held_by = { partition: 0, producer_id: 7, transactional_id: "orders-1", since, timeout_ms: 60_000 };
    const lost = { ...held_by, transactional_id: null, timeout_ms: null };

    expect(describeWait([{ held_up: 5 }, { held_up: 5, held_by }])).toMatch(
      /^10 records wait behind an open transaction of producer orders-1 since 2 Jan 2026.* 03:04:05$/,
    );
    expect(describeWait([{ held_up: 5, held_by: lost }])).toMatch(
      /of producer id 7 since .*; Kafka does not end it by itself$/,
    );
  });
});
