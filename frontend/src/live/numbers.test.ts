import { describe, expect, it } from "vitest";
import { mergeLags, makePoint, findStaleAge } from "./numbers";
import { chooseNumbers, flows } from "./rates";
import { LIVE, NUMBERS, JOB_STATUS } from "./samples";

describe("the lag of several topics", () => {
  it("is the sum, with the time and the trend of the one furthest behind", () => {
    const near = { total_lag: 3, lag_s: 1, trend: "falling" as const };
    const far = { total_lag: 4, lag_s: 9, trend: "rising" as const };

    expect(mergeLags([near, far])).toEqual({ ...far, total_lag: 7 });
    expect(mergeLags([near])).toBe(near);
    expect(mergeLags([])).toBeNull();
  });

  it("has the trend of a topic that nothing is read from, whatever the others do", () => {
    const near = { total_lag: 3, lag_s: 0, trend: "steady" as const };
    const stuck = { total_lag: 4, lag_s: null, trend: "rising" as const };

    expect(mergeLags([near, stuck])).toEqual({ ...stuck, total_lag: 7 });
  });

  it("is unknown while that of one is", () => {
    const known = { total_lag: 3, lag_s: 1, trend: "falling" as const };

    expect(mergeLags([known, { total_lag: null, lag_s: null, trend: null }])).toBeNull();
  });
});

describe("numbers of a run that is alive", () => {
  it("are stale after five seconds", () => {
    expect(findStaleAge(LIVE, 55_000)).toBeNull();
    expect(findStaleAge(LIVE, 55_001)).toBe(5_001);
  });

  it("are never stale once the job has stopped", () => {
    const stopped = { ...LIVE, jobStatus: { ...JOB_STATUS, status: "stopped" } as const };

    expect(findStaleAge(stopped, 99_000)).toBeNull();
  });
});

describe("numbers of a run that is over", () => {
  it("keep their counts but flow no more", () => {
    const failed = { ...LIVE, jobStatus: { ...JOB_STATUS, status: "failed" } as const };

    const shown = chooseNumbers(failed);

    expect(flows(failed)).toBe(false);
    expect([shown?.rate, shown?.nodes.paid?.rate, shown?.sources.orders?.rate]).toEqual([0, 0, 0]);
    expect([shown?.nodes.paid?.out_rate, shown?.nodes.paid?.busy, shown?.slowest]).toEqual([0, 0, null]);
    expect([shown?.nodes.paid?.in, shown?.nodes.paid?.state?.rows]).toEqual([100, 4]);
  });

  it("are told from those of the run that is starting", () => {
    const starting = { ...LIVE, jobStatus: { ...JOB_STATUS, status: "starting", run: 41 } as const };

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
