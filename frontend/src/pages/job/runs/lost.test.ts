import { expect, it } from "vitest";
import { STANDING } from "../../../live/samples";
import type { LostExecutor } from "../../../live/state";
import { costWords, recentLosses, wentWords } from "./lost";

const LOST: LostExecutor = {
  executor: "10.0.0.7:4100",
  host: "10.0.0.7",
  at: 1_000_000,
  reason: "Command exited with code 137.",
  hint: "",
  batch: 1_200,
  again: true,
  took_ms: 14_200,
  cost_ms: 12_900,
};

it("says which host went and what it cost", () => {
  expect(wentWords(LOST)).toBe("Host 10.0.0.7 lost an executor: Command exited with code 137.");
  expect(costWords(LOST)).toBe("Spark carried out batch 1,200 again. It took 14.2 s, 12.9 s longer than usual.");
  expect(costWords({ ...LOST, cost_ms: null, hint: "Give it more memory." })).toBe(
    "Spark carried out batch 1,200 again. It took 14.2 s. Give it more memory.",
  );
});

it("says what happens while the batch goes on, and between two batches", () => {
  const open = { ...LOST, took_ms: null, cost_ms: null };
  expect(costWords(open)).toBe("Spark carries out batch 1,200 again.");
  expect(costWords({ ...open, batch: null, again: false })).toBe("The next batch builds its state again.");
  expect(costWords({ ...LOST, again: false })).toMatch(/^Batch 1,200 built its state again\. It took 14\.2 s/);
});

it("speaks of the last ten minutes of a live run, the newest first", () => {
  const later = { ...LOST, at: 1_400_000 };
  const standing = { ...STANDING, lost_executors: [LOST, later] };
  expect(recentLosses(standing, 1_500_000)).toEqual([later, LOST]);
  expect(recentLosses(standing, 1_700_000)).toEqual([later]);
  expect(recentLosses({ ...standing, ended_at: "2026-01-01T00:00:00Z" }, 1_500_000)).toEqual([]);
});
