import { describe, expect, it } from "vitest";
import { applyEvent, readSnapshot } from "./applyEvent";
import { LIVE, NODE, NUMBERS, SOURCE, JOB_STATUS } from "./samples";
import type { LiveEvent } from "./state";

const NOW = 60_000;

describe("a snapshot", () => {
  it("dates the numbers by the clock of this browser", () => {
    const numbers = { numbers: NUMBERS, age_ms: 1_500, is_stale: false };
    const snapshot = { type: "snapshot", sequence: 8, ...JOB_STATUS, ...numbers } as const;

    const state = readSnapshot(snapshot, NOW);

    expect(state).toEqual({ sequence: 8, jobStatus: JOB_STATUS, numbers: NUMBERS, heard_at: NOW - 1_500 });
  });

  it("may hold no numbers yet", () => {
    const unknown = { numbers: null, age_ms: null, is_stale: true };
    const snapshot = { type: "snapshot", sequence: 0, ...JOB_STATUS, ...unknown } as const;

    expect(readSnapshot(snapshot, NOW).heard_at).toBeNull();
  });
});

describe("run.status_changed", () => {
  it("replaces how the job stands and keeps the numbers", () => {
    const jobStatus = { ...JOB_STATUS, status: "stopping", desired: "stopped" } as const;

    const state = applyEvent(LIVE, { type: "run.status_changed", sequence: 5, ...jobStatus }, NOW);

    expect(state).toEqual({ ...LIVE, sequence: 5, jobStatus });
  });
});

describe("job.progressed", () => {
  it("keeps the nodes and sources that did not change", () => {
    const orders = { ...NODE, in: 120, out: 120, rate: 510 };
    const numbers = { at: 2_000, records_in: 120, nodes: { orders } };

    const state = applyEvent(LIVE, { type: "job.progressed", sequence: 5, numbers }, NOW);

    expect(state.numbers).toEqual({
      ...NUMBERS,
      at: 2_000,
      records_in: 120,
      nodes: { orders, paid: NUMBERS.nodes.paid },
      sources: { orders: SOURCE },
    });
    expect([state.sequence, state.heard_at]).toEqual([5, NOW]);
  });

  it("leaves the state before it as it was", () => {
    const before = structuredClone(LIVE);

    applyEvent(LIVE, { type: "job.progressed", sequence: 5, numbers: { rate: 1 } }, NOW);

    expect(LIVE).toEqual(before);
  });

  it("starts over with another run, without the nodes of the one before", () => {
    const numbers = { ...NUMBERS, run: 41, nodes: {}, sources: {} };

    const state = applyEvent(LIVE, { type: "job.progressed", sequence: 5, numbers }, NOW);

    expect(state.numbers).toEqual(numbers);
  });

  it("shows nothing of changes to numbers it never had", () => {
    const state = applyEvent(
      { ...LIVE, numbers: null },
      { type: "job.progressed", sequence: 5, numbers: { rate: 3 } },
      NOW,
    );

    expect([state.sequence, state.numbers]).toEqual([5, null]);
  });
});

describe("an event this page does not know", () => {
  it("only counts", () => {
    const unknown = { type: "job.renamed", sequence: 5 } as unknown as LiveEvent;

    expect(applyEvent(LIVE, unknown, NOW)).toEqual({ ...LIVE, sequence: 5 });
  });
});
