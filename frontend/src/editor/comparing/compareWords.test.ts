import fc from "fast-check";
import { expect, test } from "vitest";
import { compareWords } from "./compareWords";

const told = (before: string, after: string) =>
  compareWords(before, after)
    .map(({ text, is }) => (is === "same" ? text : is === "removed" ? `[-${text}-]` : `[+${text}+]`))
    .join("");

test("names and numbers are words, and each sign is one", () => {
  expect(told("delay > 15", "delay > 30")).toBe("delay > [-15-][+30+]");
  expect(told("amount>10", "amount >= 10 AND country = 'DK'")).toBe(
    "amount[+ +]>[+= +]10[+ AND country = 'DK'+]",
  );
});

test("both texts can be read from it, and equal ones are the same", () => {
  const text = fc.array(fc.constantFrom("a", "b", "count", " ", "(", ")", "+", "1")).map((words) => words.join(""));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const parts = compareWords(before, after);
      const without = (is: string) => parts.filter((part) => part.is !== is).map((part) => part.text).join("");
      expect([without("added"), without("removed")]).toEqual([before, after]);
      expect(parts.every((part, at) => part.is !== parts[at + 1]?.is)).toBe(true);
      if (before === after) expect(parts.every(({ is }) => is === "same")).toBe(true);
    }),
  );
});

test("long texts are told as a whole", () => {
  const [one, other] = ["a ".repeat(2_000), "b ".repeat(2_000)];
  expect(compareWords(one, other)).toEqual([
    { text: one, is: "removed" },
    { text: other, is: "added" },
  ]);
});
