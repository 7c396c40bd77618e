/** Contrast as WCAG 2.2 AA wants it, of every token in both themes: 4.5 for text, 3 for what is drawn. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

const CSS = readFileSync(new URL("./tokens.css", import.meta.url), "utf8");
const TOKENS = new Map(
  [...CSS.matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\);/g)].map(([, name, light, dark]) => [
    name ?? "",
    { light: light ?? "", dark: dark ?? "" },
  ]),
);
const renameId = (start: string) => [...TOKENS.keys()].filter((name) => name.startsWith(start));
const GROUNDS = ["ground", "panel", "sunken", "hover"];
const TEXTS = ["ink", "quiet", "faint", "accent", "good", "warn", "bad"];

function luminance(colour: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one: string, other: string, theme: "light" | "dark"): number {
  const [a = 0, b = 0] = [one, other].map((name) => luminance(TOKENS.get(name)?.[theme] ?? "#000000"));
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

const weak = (fronts: readonly string[], backs: readonly string[], least: number) =>
  (["light", "dark"] as const).flatMap((theme) =>
    fronts.flatMap((front) =>
      backs
        .filter((back) => contrast(front, back, theme) < least)
        .map((back) => `${theme}: ${front} on ${back} ${contrast(front, back, theme).toFixed(2)}`),
    ),
  );

it("knows black on white", () => {
  expect(luminance("#ffffff")).toBe(1);
  expect(luminance("#000000")).toBe(0);
  expect(TOKENS.size).toBeGreaterThan(30);
});

it("lets every text be read on every ground", () => {
  expect(weak(TEXTS, GROUNDS, 4.5)).toEqual([]);
  expect(weak(["on-accent"], ["accent"], 4.5)).toEqual([]);
  for (const loud of ["good", "warn", "bad"]) expect(weak([loud], [`${loud}-soft`], 4.5)).toEqual([]);
});

it("shows edges and the kinds of what flows on the canvas and on nodes", () => {
  expect(weak(["edge", "accent"], ["ground"], 3)).toEqual([]);
  expect(weak(renameId("family-"), ["ground", "panel"], 3)).toEqual([]);
  expect(weak(renameId("kind-"), ["ground", "panel"], 3.5)).toEqual([]);
  expect(weak(["on-kind"], renameId("kind-"), 3)).toEqual([]);
});
