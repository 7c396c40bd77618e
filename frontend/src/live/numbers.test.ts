import { describe, expect, it } from "vitest";
import { lagTogether, pointOf, staleFor, totalLag } from "./numbers";
import { flows, shownNumbers } from "./rates";
import { LIVE, NUMBERS, SOURCE, STANDING } from "./samples";

describe("the lag of several topics", () => {
  it("is the sum, with the time and the trend of the one furthest behind", () => {
    const near = { total_lag: 3, lag_s: 1, trend: "falling" as const };
    const far = { total_lag: 4, lag_s: 9, trend: "rising" as const };

    expect(lagTogether([near, far, { total_lag: null, lag_s: null, trend: null }])).toEqual({ ...far, total_lag: 7 });
    expect(lagTogether([near])).toBe(near);
    expect(lagTogether([])).toBeNull();
  });
});

describe("lag", () => {
  it("is the sum over all sources whose lag is known", () => {
    const unknown = { ...SOURCE, lag: null, total_lag: null };

    expect(totalLag({ ...NUMBERS, sources: { a: SOURCE, b: SOURCE, c: unknown } })).toBe(10);
  });

  it("is unknown while no source's is", () => {
    expect(totalLag({ ...NUMBERS, sources: {} })).toBeNull();
    expect(totalLag(null)).toBeNull();
  });
});

describe("numbers of a run that is alive", () => {
  it("are stale after five seconds", () => {
    expect(staleFor(LIVE, 55_000)).toBeNull();
    expect(staleFor(LIVE, 55_001)).toBe(5_001);
  });

  it("are never stale once the job has stopped", () => {
    const stopped = { ...LIVE, standing: { ...STANDING, status: "stopped" } as const };

    expect(staleFor(stopped, 99_000)).toBeNull();
  });
});

describe("numbers of a run that is over", () => {
  it("keep their counts but flow no more", () => {
    const failed = { ...LIVE, standing: { ...STANDING, status: "failed" } as const };

    const shown = shownNumbers(failed);

    expect(flows(failed)).toBe(false);
    expect([shown?.rate, shown?.nodes.paid?.rate, shown?.sources.orders?.rate]).toEqual([0, 0, 0]);
    expect([shown?.nodes.paid?.out_rate, shown?.nodes.paid?.busy, shown?.slowest]).toEqual([0, 0, null]);
    expect([shown?.nodes.paid?.in, shown?.nodes.paid?.state?.rows]).toEqual([100, 4]);
  });

  it("are told from those of the run that is starting", () => {
    const starting = { ...LIVE, standing: { ...STANDING, status: "starting", run: 41 } as const };

    expect(shownNumbers(starting)?.rate).toBe(0);
  });
});

it("keeps for a chart what a chart shows", () => {
  expect(pointOf(NUMBERS)).toEqual({
    at: 1_000,
    rate: 500,
    lag: 5,
    latency_ms: 200,
    batch_ms: 150,
    memory_bytes: 900_000_000,
    state_rows: 4,
    state_bytes: 400,
  });
});
