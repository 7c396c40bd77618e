import { describe, expect, it } from "vitest";
import { age, ago, bytes, count, countOf, duration, rate, shortCount } from "./format";

describe("numbers as people read them", () => {
  it.each([
    [count(1_234_567), "1,234,567"],
    [count(null), "–"],
    [count(Number.NaN), "–"],
    [shortCount(999_999), "999,999"],
    [shortCount(12_345_678), "12.35 M"],
    [shortCount(1_230_000_000), "1.23 G"],
    [rate(0), "0"],
    [rate(4.24), "4.2"],
    [rate(12_480.4), "12,480"],
    [countOf(1, "node"), "1 node"],
    [countOf(3, "node"), "3 nodes"],
    [countOf(2, "topology", "topologies"), "2 topologies"],
  ])("%s", (shown, expected) => {
    expect(shown).toBe(expected);
  });
});

describe("times as people read them", () => {
  it.each([
    [duration(85), "85 ms"],
    [duration(1_240), "1.2 s"],
    [duration(59_999), "1 min"],
    [duration(200_000), "3 min 20 s"],
    [duration(7_500_000), "2 h 5 min"],
    [duration(349_200_000), "4 d 1 h"],
    [duration(undefined), "–"],
    [age(1_999), "now"],
    [age(12_000), "12 s"],
    [ago(300_000), "5 min ago"],
    [ago(500), "now"],
    [ago(3 * 86_400_000), "3 d ago"],
  ])("%s", (shown, expected) => {
    expect(shown).toBe(expected);
  });
});

describe("sizes as people read them", () => {
  it.each([
    [bytes(0), "0 B"],
    [bytes(640), "640 B"],
    [bytes(12_700), "12.4 KiB"],
    [bytes(805_306_368), "768 MiB"],
    [bytes(1_073_741_824), "1.0 GiB"],
  ])("%s", (shown, expected) => {
    expect(shown).toBe(expected);
  });
});
