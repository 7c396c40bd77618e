import { expect, it } from "vitest";
import { addSample, findP95, type Sample } from "./minute";
import { LIVE, NUMBERS } from "./samples";

const at = (ms: number) => ({ ...LIVE, numbers: { ...NUMBERS, at: ms } });

it("keeps a sample every two seconds, of the last minute", () => {
  const samples = [0, 1_000, 2_000, 61_000].reduce<readonly Sample[]>((all, ms) => addSample(all, at(ms)), []);

  expect(samples.map((sample) => sample.at)).toEqual([2_000, 61_000]);
});

it("goes on after the clock of the run was set back", () => {
  const samples = [0, 2_000, 3_600_000].reduce<readonly Sample[]>((all, ms) => addSample(all, at(ms)), []);

  expect(addSample(samples, at(3_599_000)).map((sample) => sample.at)).toEqual([3_599_000]);
});

it("notes that nothing flows after a run", () => {
  const over = { ...at(0), jobStatus: { ...LIVE.jobStatus, status: "stopped" as const } };

  expect(addSample([], over)).toEqual([{ at: 0, nodes: null, latency_ms: null }]);
});

it("finds the latency that 95 % stay below", () => {
  const samples = Array.from({ length: 100 }, (_, index) => ({ at: index, nodes: null, latency_ms: 100 - index }));

  expect(findP95(samples)).toBe(95);
  expect(findP95([])).toBeNull();
});
