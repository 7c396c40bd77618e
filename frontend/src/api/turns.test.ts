import { expect, it } from "vitest";
import { Turns } from "./turns";

it("shows each answer that is newer than the shown one, so that slow answers to frequent requests are shown", () => {
  const turns = new Turns();
  const [first, second, third] = [turns.begin(), turns.begin(), turns.begin()];

  expect(first()).toBe(true);
  expect(third()).toBe(true);
  expect(second()).toBe(false);
});

it("shows no answer to an earlier question", () => {
  const turns = new Turns();
  const before = turns.begin();
  turns.forget();
  const after = turns.begin();

  expect(before()).toBe(false);
  expect(after()).toBe(true);
});
