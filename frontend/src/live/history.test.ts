import { expect, it } from "vitest";
import { addPoint, join, readSeries, SHOWN_POINTS, type Point } from "./history";

function point(at: number, rate = 0, lag: number | null = 0): Point {
  const unknown = { latency_ms: null, batch_ms: null, memory_bytes: null };
  return { at, rate, lag, waiting: 0, ...unknown, state_rows: 0, state_bytes: 0 };
}

it("keeps a point every two seconds", () => {
  const times = [0, 500, 1_000, 2_000, 2_500, 4_100];

  const points = times.reduce<readonly Point[]>((all, at) => addPoint(all, point(at)), []);

  expect(points.map(({ at }) => at)).toEqual([0, 2_000, 4_100]);
});

it("goes on after the clock of the run was set back", () => {
  const points = [0, 2_000, 3_600_000, 3_602_000].map((at) => point(at));

  expect(addPoint(points, point(4_000)).map(({ at }) => at)).toEqual([0, 2_000, 4_000]);
});

it("keeps an hour, of which a sparkline shows five minutes", () => {
  const many = Array.from({ length: 2_000 }, (_, index) => point(index * 2_000));

  const kept = addPoint(many, point(4_000_000));

  expect(kept).toHaveLength(1_800);
  expect(readSeries(kept, "rate")).toHaveLength(SHOWN_POINTS);
});

it("joins what the server kept with what was seen since", () => {
  const points = join([point(0), point(2_000)], [point(1_900), point(3_000), point(4_000)]);

  expect(points.map(({ at }) => at)).toEqual([0, 2_000, 4_000]);
});

it("leaves out what is not known", () => {
  expect(readSeries([point(0, 1, 5), point(2_000, 1, null), point(4_000, 1, 7)], "lag")).toEqual([5, 7]);
});
