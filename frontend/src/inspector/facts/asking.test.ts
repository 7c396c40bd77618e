import { expect, it } from "vitest";
import type { LiveState, NodeNumbers } from "../../live/state";
import { givesNothing, lacksResults } from "./asking";

function running(node: Partial<NodeNumbers>, batch: number | null = 4): LiveState {
  const late = { in: 0, out: 0, rate: 0, out_rate: 0, ...node };
  const numbers = { run: 1, batch: { number: batch, in_batch_ms: 0 }, nodes: { late } };
  return { sequence: 1, jobStatus: { status: "running", run: 1 }, numbers, heard_at: 0 } as unknown as LiveState;
}

it("offers to ask about a node that never gave a record, or gives none of those that arrive", () => {
  expect(lacksResults(running({ in: 3 }), "late")).toBe(true);
  expect(lacksResults(running({ in: 900, out: 4, rate: 20 }), "late")).toBe(true);
});

it("does not offer it while nothing arrives at a node that gave records, though its menu does", () => {
  const idle = running({ in: 3, out: 3 });

  expect(lacksResults(idle, "late")).toBe(false);
  expect(givesNothing(idle, "late")).toBe(true);
});

it("does not offer it before the first batch ends, or without a run", () => {
  expect(lacksResults(running({}, null), "late")).toBe(false);
  expect(lacksResults(null, "late")).toBe(false);
});
