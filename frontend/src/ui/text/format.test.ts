import { describe, expect, it, test } from "vitest";
import {
  formatAge,
  formatAgo,
  formatAmount,
  formatBriefCount,
  formatBytes,
  formatCount,
  formatDuration,
  formatPerSecond,
  formatRate,
  formatRecordPlace,
  formatShortCount,
} from "./format";

describe("numbers as people read them", () => {
  it.each([
    [formatCount(1_234_567), "1,234,567"],
    [formatCount(null), "–"],
    [formatCount(Number.NaN), "–"],
    [formatShortCount(999_999), "999,999"],
    [formatBriefCount(9_999), "9,999"],
    [formatBriefCount(29_999), "30 k"],
    [formatBriefCount(123_456), "123 k"],
    [formatBriefCount(1_234_567), "1.23 M"],
    [formatShortCount(12_345_678), "12.35 M"],
    [formatShortCount(1_230_000_000), "1.23 G"],
    [formatRate(0), "0"],
    [formatRate(0.04), "<0.1"],
    [formatRate(4.24), "4.2"],
    [formatPerSecond(4.24), "4.2/s"],
    [formatPerSecond(null), "–"],
    [formatAmount(null, "record"), "–"],
    [formatRate(12_480.4), "12,480"],
    [formatAmount(1, "node"), "1 node"],
    [formatAmount(3, "node"), "3 nodes"],
    [formatAmount(2, "topology", "topologies"), "2 topologies"],
  ])("%s", (shown, expected) => {
    expect(shown).toBe(expected);
  });
});

describe("times as people read them", () => {
  it.each([
    [formatDuration(85), "85 ms"],
    [formatDuration(1_240), "1.2 s"],
    [formatDuration(59_999), "1 min"],
    [formatDuration(200_000), "3 min 20 s"],
    [formatDuration(7_500_000), "2 h 5 min"],
    [formatDuration(349_200_000), "4 d 1 h"],
    [formatDuration(undefined), "–"],
    [formatAge(1_999), "now"],
    [formatAge(12_000), "12 s"],
    [formatAgo(300_000), "5 min ago"],
    [formatAgo(500), "now"],
    [formatAgo(3 * 86_400_000), "3 d ago"],
  ])("%s", (shown, expected) => {
    expect(shown).toBe(expected);
  });
});

describe("sizes as people read them", () => {
  it.each([
    [formatBytes(0), "0 B"],
    [formatBytes(640), "640 B"],
    [formatBytes(12_700), "12.4 KiB"],
    [formatBytes(805_306_368), "768 MiB"],
    [formatBytes(1_073_741_824), "1.0 GiB"],
  ])("%s", (shown, expected) => {
    expect(shown).toBe(expected);
  });
});

test("the place of a record is written in one way, as far as it is known", () => {
  expect(formatRecordPlace({ topic: "orders", partition: 3, offset: 18_811 })).toBe("orders-3@18811");
  expect(formatRecordPlace({ topic: "orders", partition: null, offset: null })).toBe("orders");
  expect(formatRecordPlace({ partition: 3, offset: 18_811 })).toBe("3@18811");
});
