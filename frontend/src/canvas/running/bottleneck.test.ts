import { expect, it } from "vitest";
import { LIVE, NODE, NUMBERS, SOURCE } from "../../live/samples";
import type { LiveState, Numbers } from "../../live/state";
import { findBottleneck, findWaitingEdges } from "./bottleneck";

const BEHIND = { ...SOURCE, total_lag: 9_000, lag_s: 18, trend: "rising" } as const;

function live(numbers: Partial<Numbers>): LiveState {
  return { ...LIVE, numbers: { ...NUMBERS, ...numbers } };
}

it("names no bottleneck while the sources keep up", () => {
  expect(findBottleneck(live({}))).toBeNull();
  expect(findBottleneck(live({ sources: { orders: { ...BEHIND, total_lag: 800, lag_s: 1.6 } } }))).toBeNull();
});

it("names the busy node for which records wait", () => {
  const nodes = { orders: NODE, count: { ...NODE, busy: 0.92 } };

  expect(findBottleneck(live({ nodes, slowest: "count", sources: { orders: BEHIND } }))).toEqual({
    topics: ["orders"],
    node: "count",
    step: null,
    share: 92,
  });
});

it("names a step of the batch that takes longer than any node", () => {
  const batch = { ...NUMBERS.batch, duration_ms: 1_000, phases: { produce_ms: 500, commit_ms: 200, save_ms: 100 } };

  expect(findBottleneck(live({ batch, sources: { orders: BEHIND } }))).toEqual({
    topics: ["orders"],
    node: null,
    step: "writing to Kafka",
    share: 70,
  });
});

it("names none while the source catches up and nothing takes long", () => {
  const nodes = { orders: NODE, count: { ...NODE, busy: 0.14 } };
  const behind = (trend: "rising" | "falling") =>
    findBottleneck(live({ nodes, slowest: "count", sources: { orders: { ...BEHIND, trend } } }));

  expect(behind("falling")).toBeNull();
  expect(behind("rising")).toMatchObject({ topics: ["orders"], node: null, step: null });
});

it("allows a source the records of two batches", () => {
  const batch = { ...NUMBERS.batch, interval_ms: 10_000 };

  expect(findBottleneck(live({ batch, sources: { orders: BEHIND } }))).toBeNull();
});

it("names none when the run is over", () => {
  const jobStatus = { ...LIVE.jobStatus, status: "stopped" } as const;

  expect(findBottleneck({ ...live({ sources: { orders: BEHIND } }), jobStatus })).toBeNull();
});

it("names none while a run stops, or before its first batch", () => {
  const stopping = { ...LIVE.jobStatus, status: "stopping" } as const;
  const batch = { number: null, in_batch_ms: 30_000 };

  expect(findBottleneck({ ...live({ sources: { orders: BEHIND } }), jobStatus: stopping })).toBeNull();
  expect(findBottleneck(live({ batch, sources: { orders: BEHIND } }))).toBeNull();
});

it("marks the edges from the waiting source to the bottleneck", () => {
  const node = (id: string, config = {}) => ({ id, operator: "filter", config, position: { x: 0, y: 0 } });
  const edge = (source: string, target: string) => ({ source, target, source_port: "result", target_port: "stream" });
  const graph = {
    nodes: [node("orders", { topic: "orders" }), node("paid"), node("count"), node("side"), node("out"), node("other")],
    edges: [
      edge("orders", "paid"),
      edge("paid", "count"),
      edge("paid", "side"),
      edge("count", "out"),
      edge("other", "count"),
    ],
  };
  const bottleneck = { topics: ["orders"], node: "count", step: null, share: 92 };

  expect([...findWaitingEdges(graph, bottleneck)]).toEqual([0, 1]);
  expect([...findWaitingEdges(graph, { ...bottleneck, node: null })]).toEqual([0]);
  expect([...findWaitingEdges(graph, { ...bottleneck, node: "orders" })]).toEqual([]);
});
