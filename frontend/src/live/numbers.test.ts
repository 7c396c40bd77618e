import { describe, expect, it } from "vitest";
import { countWaiting, describeWait, mergeLags, makePoint, findStaleAge } from "./numbers";
import { chooseNumbers, flows } from "./rates";
import { LIVE, NUMBERS, SOURCE, STANDING } from "./samples";

describe("the lag of several topics", () => {
  it("is the sum, with the time and the trend of the one furthest behind", () => {
    const near = { total_lag: 3, lag_s: 1, trend: "falling" as const };
    const far = { total_lag: 4, lag_s: 9, trend: "rising" as const };

    expect(mergeLags([near, far])).toEqual({ ...far, total_lag: 7 });
    expect(mergeLags([near])).toBe(near);
    expect(mergeLags([])).toBeNull();
  });

  it("is unknown while that of one is", () => {
    const known = { total_lag: 3, lag_s: 1, trend: "falling" as const };

    expect(mergeLags([known, { total_lag: null, lag_s: null, trend: null }])).toBeNull();
  });
});

describe("records behind an open transaction", () => {
  it("are told in a sentence where they are held up", () => {
    const held = { ...SOURCE, held_up: 512 };
    const passing = { ...SOURCE, total_waiting: 3, waiting_s: 0 };

    expect(countWaiting([held, passing, {}])).toBe(512);
    expect(describeWait([held])).toBe("512 records wait behind an open transaction");
    expect(describeWait([{ held_up: 1 }])).toBe("1 record waits behind an open transaction");
    expect(describeWait([passing])).toBe("");
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

describe("numbers of a run that is alive", () => {
  it("are stale after five seconds", () => {
    expect(findStaleAge(LIVE, 55_000)).toBeNull();
    expect(findStaleAge(LIVE, 55_001)).toBe(5_001);
  });

  it("are never stale once the job has stopped", () => {
    const stopped = { ...LIVE, standing: { ...STANDING, status: "stopped" } as const };

    expect(findStaleAge(stopped, 99_000)).toBeNull();
  });
});

describe("numbers of a run that is over", () => {
  it("keep their counts but flow no more", () => {
    const failed = { ...LIVE, standing: { ...STANDING, status: "failed" } as const };

    const shown = chooseNumbers(failed);

    expect(flows(failed)).toBe(false);
    expect([shown?.rate, shown?.nodes.paid?.rate, shown?.sources.orders?.rate]).toEqual([0, 0, 0]);
    expect([shown?.nodes.paid?.out_rate, shown?.nodes.paid?.busy, shown?.slowest]).toEqual([0, 0, null]);
    expect([shown?.nodes.paid?.in, shown?.nodes.paid?.state?.rows]).toEqual([100, 4]);
  });

  it("are told from those of the run that is starting", () => {
    const starting = { ...LIVE, standing: { ...STANDING, status: "starting", run: 41 } as const };

    expect(chooseNumbers(starting)?.rate).toBe(0);
  });
});

it("keeps for a chart what a chart shows", () => {
  expect(makePoint(NUMBERS)).toEqual({
    at: 1_000,
    rate: 500,
    lag: 5,
    waiting: 0,
    latency_ms: 200,
    batch_ms: 150,
    memory_bytes: 900_000_000,
    state_rows: 4,
    state_bytes: 400,
  });
});
