import { expect, it } from "vitest";
import { AnswerOrder } from "./answerOrder";

it("shows each answer that is newer than the shown one, so that slow answers to frequent requests are shown", () => {
  const order = new AnswerOrder();
  const [first, second, third] = [order.begin(), order.begin(), order.begin()];

  expect(first()).toBe(true);
  expect(third()).toBe(true);
  expect(second()).toBe(false);
});

it("shows no answer to an earlier question", () => {
  const order = new AnswerOrder();
  const before = order.begin();
  order.forget();
  const after = order.begin();

  expect(before()).toBe(false);
  expect(after()).toBe(true);
});
