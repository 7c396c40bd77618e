import { expect, it } from "vitest";
import { JOB_STATUS } from "../../../live/samples";
import type { LostExecutor } from "../../../live/state";
import { listRecentLosses } from "./runs";

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
  title: "Host 10.0.0.7 lost an executor: Command exited with code 137.",
  text: "Spark ran batch 1,200 again.",
};

it("speaks of the last ten minutes of a live run, the newest first", () => {
  const later = { ...LOST, at: 1_400_000 };
  const jobStatus = { ...JOB_STATUS, lost_executors: [LOST, later] };
  expect(listRecentLosses(jobStatus, 1_500_000)).toEqual([later, LOST]);
  expect(listRecentLosses(jobStatus, 1_700_000)).toEqual([later]);
  expect(listRecentLosses({ ...jobStatus, ended_at: "2026-01-01T00:00:00Z" }, 1_500_000)).toEqual([]);
});
