import { afterEach, expect, it, vi } from "vitest";
import type { Document } from "../../editor/document/document";
import { documentOf, edge, node, schemaOf } from "../../editor/samples";
import { askOnce, keepDeciding } from "./asking";

const NODES = [node("orders", "stream"), node("large"), node("big", "to"), node("clicks", "stream"), node("few")];
const EDGES = [edge("orders large"), edge("large big"), edge("clicks few")];

const ids = ({ graph }: Document) => graph.nodes.map(({ id }) => id);

afterEach(() => vi.unstubAllGlobals());

it("keeps of a drawing the nodes before a node, with their schemas", () => {
  const schemas = { orders: schemaOf("double"), clicks: schemaOf("string") };

  const kept = keepDeciding({ ...documentOf(NODES, EDGES), schemas }, "large");

  expect(ids(kept)).toEqual(["orders", "large"]);
  expect(kept.graph.edges).toEqual([edge("orders large")]);
  expect(Object.keys(kept.schemas)).toEqual(["orders"]);
});

it.each([{ topic: "big" }, { topics: ["other", "big"] }, { pattern: "b.g" }])(
  "keeps what writes the topic of a source %j",
  (config) => {
    const nodes = NODES.map((one) => {
      if (one.id === "big") return { ...one, config: { topic: "big" } };
      return one.id === "clicks" ? { ...one, config } : one;
    });

    expect(ids(keepDeciding(documentOf(nodes, EDGES), "few"))).toEqual(["orders", "large", "big", "clicks", "few"]);
  },
);

it("asks the server once about a text of one document, and again after an edit or a failure", async () => {
  const answer = { type: null, error: null, note: "", names: {}, spread: null };
  const send = vi.fn(() => Promise.resolve(Response.json(answer)));
  send.mockRejectedValueOnce(new TypeError("Failed to fetch"));
  vi.stubGlobal("fetch", send);
  vi.stubGlobal("document", { cookie: "" });
  const [before, after] = [documentOf(NODES, EDGES), documentOf(NODES, EDGES)];
  const ask = (document: Document, text: string) => askOnce(document, "large", "predicate", text);

  await expect(ask(before, "a")).rejects.toThrow();
  await ask(before, "a");
  await Promise.all([ask(before, "a"), ask(before, "a")]);
  expect(send).toHaveBeenCalledTimes(2);

  await ask(before, "b");
  await ask(after, "a");
  expect(send).toHaveBeenCalledTimes(4);
});
