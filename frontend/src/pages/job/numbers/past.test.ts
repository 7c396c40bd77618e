import { expect, it } from "vitest";
import type { PastNumbers } from "../../../api/types";
import { chooseLooks, isKnown, makeLines, OF_JOB, OF_NODE } from "./past";

const numbers = (lines: PastNumbers["lines"], before: PastNumbers["before"] = null): PastNumbers => ({
  step: 60,
  at: ["1970-01-01T00:01:00Z", "1970-01-01T00:02:00Z"],
  lines,
  before,
  marks: [],
});

it("takes the lines of a chart, and those of the day before behind them", () => {
  const [rate] = OF_JOB;
  const found = numbers({ rate: [1, 2] }, { rate: [null, 7] });

  expect(rate && makeLines(rate, found)).toEqual([
    [60, 120],
    [1, 2],
    [null, 7],
  ]);
  expect(rate && chooseLooks(rate, true).map(({ word }) => word)).toEqual(["", "yesterday"]);
});

it("draws a line for each percentile", () => {
  const latency = OF_JOB.find(({ title }) => title === "Latency");

  expect(latency && chooseLooks(latency, false).map(({ word }) => word)).toEqual(["p50", "p95", "p99"]);
  expect(latency && makeLines(latency, numbers({}))).toEqual([[60, 120], [null, null], [null, null], [null, null]]);
});

it("says values with their unit", () => {
  expect(OF_NODE.map(({ say }) => say(0.5))).toEqual(["0.5/s", "0.5/s", "0.5/s", "50 %", "1 B"]);
});

it("knows when nothing is known", () => {
  expect(isKnown(numbers({ rate: [null, null] }))).toBe(false);
  expect(isKnown(numbers({ rate: [null, 0] }))).toBe(true);
});
