import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { keepAsking } from "./asking";
import { configure, EMPTY, move } from "../document/document";
import { createDocumentStore } from "../document/documentStore";

const SOURCE = { id: "orders", operator: "stream", config: {}, position: { x: 0, y: 0 } };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function asked(again: number | null) {
  const editor = createDocumentStore(1, { ...EMPTY, graph: { nodes: [SOURCE], edges: [] } }, 1);
  const topics: unknown[] = [];
  const about = ({ graph }: typeof EMPTY) => graph.nodes[0]?.config.topic;
  const ask = (document: typeof EMPTY) => Promise.resolve(again).finally(() => topics.push(about(document)));
  const stop = keepAsking(editor, { about, pauseMs: 400, ask });
  const renameId = (topic: string) => editor.getState().edit(configure("orders", { topic }));
  return { editor, topics, stop, renameId: renameId };
}

test("a question is asked at once, and a moment after what it is about changed", async () => {
  const { editor, topics, renameId } = asked(null);
  renameId("a");
  await vi.advanceTimersByTimeAsync(300);
  renameId("ab");
  await vi.advanceTimersByTimeAsync(500);
  editor.getState().edit(move(new Map([["orders", { x: 5, y: 5 }]])));
  await vi.advanceTimersByTimeAsync(5_000);

  expect(topics).toEqual([undefined, "ab"]);
});

test("it is asked again after the time that its answer names, and no more once it is stopped", async () => {
  const { topics, stop } = asked(1_000);
  await vi.advanceTimersByTimeAsync(2_500);
  stop();
  await vi.advanceTimersByTimeAsync(5_000);

  expect(topics).toHaveLength(3);
});

test("an answer to an old question does not put off the next one", async () => {
  const { topics, renameId } = asked(60_000);
  renameId("a");
  await vi.advanceTimersByTimeAsync(500);

  expect(topics).toEqual([undefined, "a"]);
});
