import { describe, expect, it } from "vitest";
import type { FeedMessage, LogLine } from "../../api/feed";
import { applyLogMessage, countLevels, filterLines, MAX_LINES, NO_LOG } from "./log";

const line = (number: number, level: LogLine["level"] = "INFO", text = `line ${number}`): LogLine => ({
  number,
  at: number,
  level,
  logger: "runner.spark",
  text,
});
const numbered = (first: number, last: number): FeedMessage => ({
  type: "lines",
  run: 4,
  lines: Array.from({ length: last - first + 1 }, (_, index) => line(first + index)),
  skipped: 0,
});
const told = (...messages: FeedMessage[]) => messages.reduce(applyLogMessage, NO_LOG);

describe("a log", () => {
  it("has the newest line last", () => {
    expect(told(numbered(1, 2), numbered(3, 3)).lines.map(({ number }) => number)).toEqual([1, 2, 3]);
  });

  it("keeps the newest lines", () => {
    const { lines } = told(numbered(1, 1_500), numbered(1_501, 3_000));

    expect(lines).toHaveLength(MAX_LINES);
    expect(lines.at(-1)?.number).toBe(3_000);
  });

  it("shows a line once that a new connection tells again", () => {
    expect(told(numbered(1, 5), numbered(3, 6)).lines.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it("starts over with a log that does", () => {
    expect(told(numbered(1, 5), numbered(1, 2)).lines.map(({ number }) => number)).toEqual([1, 2]);
  });

  it("says what it waits for until lines come", () => {
    const waiting = told({ type: "waiting", message: "Run 4 has no log here." });

    expect(waiting.note?.message).toBe("Run 4 has no log here.");
    expect(applyLogMessage(waiting, numbered(1, 1)).note).toBeNull();
  });
});

const LINES = [
  line(1),
  line(2, "WARNING", "Slow"),
  line(3, "ERROR", "Broken"),
  line(4, "DEBUG"),
  line(5, null),
  line(6, "SPARK", "Slow"),
];

it("counts the lines of each level", () => {
  expect(countLevels(LINES)).toEqual({ ERROR: 1, WARNING: 1, INFO: 3, SPARK: 1 });
});

it("finds lines by level and by text", () => {
  expect(filterLines(LINES, "ALL", "").map(({ number }) => number)).toEqual([1, 2, 3, 4, 5]);
  expect(filterLines(LINES, "SPARK", "").map(({ number }) => number)).toEqual([6]);
  expect(filterLines(LINES, "ERROR", "").map(({ number }) => number)).toEqual([3]);
  expect(filterLines(LINES, "ALL", "slOw").map(({ number }) => number)).toEqual([2]);
  expect(filterLines(LINES, "INFO", "slow")).toEqual([]);
});
