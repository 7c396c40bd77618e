import { afterEach, describe, expect, it, vi } from "vitest";
import type { GraphNode, KeptBatches } from "../../api/types";
import {
  canRepeat,
  chooseBatch,
  countUnread,
  describeBatch,
  describeCounts,
  describeEnds,
  describeSearch,
  findEnds,
  findPlace,
  openBatch,
  showLooked,
  usePast,
  zoomIn,
} from "./past";

function makeBatch(number: number) {
  return { number, time: 1_000 * number, records: 5, failed: number === 1 ? 1 : 0, version: 3, version_id: 30 };
}

const batches = [0, 1, 2, 3, 4].map(makeBatch);
const kept: KeptBatches = { batches, count: 5, tables_since: 1_000, records_since: 2_000 };

describe("a batch that is opened by its number", () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    chooseBatch(null);
  });
  const answer = (status: number, body: unknown) =>
    vi.stubGlobal("fetch", () => Promise.resolve(new Response(JSON.stringify(body), { status })));

  it("is shown", async () => {
    answer(200, makeBatch(3));

    expect(await openBatch(7, 3)).toBeNull();
    expect(usePast.getState().batch?.number).toBe(3);
  });

  it("is refused in words when it is no longer kept, and the shown one stays", async () => {
    chooseBatch(makeBatch(4));
    answer(404, { code: "not_found", message: "Batch 3 is no longer kept.", hint: "Choose a newer one." });

    expect((await openBatch(7, 3))?.message).toBe("Batch 3 is no longer kept.");
    expect(usePast.getState().batch?.number).toBe(4);
  });
});

describe("the kept past", () => {
  it("marks what cannot be opened, and of what only tables open", () => {
    expect(findEnds(kept)).toEqual({ gone: 0.25, tablesOnly: 0.5 });
    expect(findEnds({ ...kept, tables_since: null, records_since: null })).toEqual({ gone: 1, tablesOnly: 1 });
    expect(batches.map((batch) => canRepeat(kept, batch))).toEqual([false, false, true, true, true]);
  });

  it("says where it ends", () => {
    expect(describeEnds(kept)).toContain("Kafka has all records since");
    expect(describeEnds({ ...kept, count: 900 })).toMatch(/^5 of 900 kept batches\./);
    expect(describeEnds({ ...kept, batches: [] })).toBe("No batch is kept in this time.");
    expect(describeEnds({ ...kept, records_since: null })).toContain("no longer has the records of any");
    expect(describeEnds({ ...kept, tables_since: null })).toContain("no longer kept");
  });

  it("shows a closer look around a batch", () => {
    expect(zoomIn(kept, 2)).toEqual({ since: 0, until: 4_000 });
    expect(zoomIn(kept, 4)).toEqual({ since: 2_000, until: 4_000 });
  });

  it("names a batch with its failures", () => {
    expect(describeBatch(makeBatch(1))).toMatch(/^Batch 1 of .*: 5 records, 1 failed, version 3\.$/);
  });

  it("forgets what nodes did in another batch, and ignores a late answer", () => {
    const looked = { ...makeBatch(2), nodes: {}, lag: null, unread: null, left: [], left_count: 0 };
    chooseBatch(makeBatch(2));
    showLooked(looked);
    expect(usePast.getState().looked).toBe(looked);

    chooseBatch(makeBatch(3));
    showLooked(looked);
    expect(usePast.getState().looked).toBeNull();
  });

  it("finds the port that a selection means", () => {
    const edge = (source: string, target: string) => ({ source, source_port: "result", target, target_port: "stream" });
    const edges = [edge("orders", "large"), edge("large", "results")];
    expect(findPlace(edges, "large", undefined)).toEqual({ node: "large", port: "result" });
    expect(findPlace(edges, "results", undefined)).toEqual({ node: "large", port: "result" });
    expect(findPlace(edges, null, edges[0])).toEqual({ node: "orders", port: "result" });
    expect(findPlace(edges, null, undefined)).toBeNull();
  });

  it("says how far a search came", () => {
    const found = { hits: [], count: 0, searched: 12, since: 0, older: null, failed: 1 };
    expect(describeSearch(found)).toMatch(/^0 hits in 12 batches, back to .*\. No earlier batch can be searched\./);
    expect(describeSearch(found)).toContain("could not be computed for 1 record.");
    expect(describeSearch({ ...found, count: 87 })).toMatch(/^The newest 0 of 87 hits/);
    expect(describeSearch({ ...found, older: 5, failed: 0 })).not.toContain("No earlier");
  });

  it("says what became of records", () => {
    const counts = { in: 5, out: 2, dropped: 2, errors: 0, dropped_by: { late: 2 }, no_result: 1 };
    expect(describeCounts(counts)).toBe("5 in, 2 out in this batch. 2 dropped: late. 1 without a result.");
  });
});

it("adds up what a batch left in the topics of a source, if that is known", () => {
  const node: GraphNode = { id: "orders", operator: "stream", config: { topic: "orders" }, position: { x: 0, y: 0 } };
  expect(countUnread({ orders: 7, customers: 2 }, node)).toBe(7);
  expect(countUnread({ customers: 2 }, node)).toBe(0);
  expect(countUnread(null, node)).toBeNull();
});
