import type { Point } from "../api/types";

export type { Point };

/** The span of a sparkline: five minutes. */
export const SHOWN_POINTS = 150;
/** The span in memory: an hour. */
const KEPT_POINTS = 1_800;
const APART_MS = 2_000;

/** The points plus a newer one, unless the last is still fresh. */
export function addPoint(points: readonly Point[], point: Point): readonly Point[] {
  const last = points.at(-1);
  if (last !== undefined && isFresh(last, point)) return points;
  return [...dropFuture(points, point.at), point].slice(-KEPT_POINTS);
}

interface Timed {
  readonly at: number;
}

/** Whether one is too new for the next to be kept. */
export function isFresh(last: Timed, next: Timed): boolean {
  return next.at >= last.at && next.at - last.at < APART_MS;
}

/** Without what lies after a moment, from before its clock was set back. */
export function dropFuture<Each extends Timed>(all: readonly Each[], at: number): readonly Each[] {
  return (all.at(-1)?.at ?? at) <= at ? all : all.filter((each) => each.at < at);
}

/** The server's points, then this page's newer ones. */
export function join(past: readonly Point[], points: readonly Point[]): readonly Point[] {
  const last = past.at(-1)?.at ?? -Infinity;
  return [...past, ...points.filter((point) => point.at >= last + APART_MS)].slice(-KEPT_POINTS);
}

/** One number of the last five minutes, from the points that have it. */
export function readSeries(points: readonly Point[], name: Exclude<keyof Point, "at">): readonly number[] {
  return points.slice(-SHOWN_POINTS).map((point) => point[name]).filter((value) => value !== null);
}
