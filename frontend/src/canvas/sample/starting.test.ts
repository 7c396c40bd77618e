import { expect, it } from "vitest";
import { SETTINGS } from "../../api/samples";
import type { Job, Run } from "../../api/types";
import { findStart } from "./starting";

const JOB = { epoch: 1, settings: SETTINGS } as Job;
const run = (id: number, offsets: Run["offsets"], epoch = 1) => ({ id, generation: id, epoch, offsets }) as Run;

it("is where the run before ended, over runs that read nothing", () => {
  const runs = [run(4, {}), run(3, {}), run(2, { flights: [10, 20] }), run(1, { flights: [1, 2] })];

  expect(findStart(JOB, runs, 4, "flights")).toBe(30);
});

it("is the first record for the first run of a job that reads all", () => {
  expect(findStart(JOB, [run(1, { flights: [5, 5] })], 1, "flights")).toBe(0);
  expect(findStart({ ...JOB, settings: { ...SETTINGS, start: "latest" } }, [run(1, {})], 1, "flights")).toBeNull();
});

it("is not known from another epoch, nor of a run that is not there yet", () => {
  expect(findStart({ ...JOB, epoch: 2 }, [run(2, {}, 2), run(1, { flights: [5] })], 2, "flights")).toBeNull();
  expect(findStart(JOB, [run(1, {})], 9, "flights")).toBeNull();
});
