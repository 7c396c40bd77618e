import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { forgetComments, loadComments, useComments } from "./comments";

let answers: ((comments: readonly { readonly id: number }[]) => void)[];

beforeEach(() => {
  answers = [];
  vi.stubGlobal("fetch", async () => {
    const comments = await new Promise((resolve) => answers.push(resolve));
    return new Response(JSON.stringify(comments));
  });
});

afterEach(() => {
  forgetComments();
  vi.unstubAllGlobals();
});

const listIds = () => useComments.getState().comments.map(({ id }) => id);

it("shows no comments of a topology that was left before they came", async () => {
  const loading = loadComments(1);
  forgetComments();
  const next = loadComments(2);
  answers[1]?.([{ id: 20 }]);
  await next;
  answers[0]?.([{ id: 10 }]);
  await loading;

  expect(listIds()).toEqual([20]);
});

it("shows the newer of two answers, whichever comes last", async () => {
  const loading = [loadComments(1), loadComments(1)];
  answers[1]?.([{ id: 1 }, { id: 2 }]);
  await loading[1];
  answers[0]?.([{ id: 1 }]);
  await loading[0];

  expect(listIds()).toEqual([1, 2]);
});
