import { expect, it, vi } from "vitest";
import { Refusal } from "../../api/refusal";
import type { GraphNode } from "../../api/types";
import { add, EMPTY, type Document } from "../document/document";
import { createDocumentStore, type Conflict } from "../document/documentStore";
import { Autosave } from "../saving/saving";
import { followDraft, look, settle, type Follower } from "./presence";

const node: GraphNode = { id: "a", operator: "filter", config: {}, position: { x: 0, y: 0 } };
const theirs = { revision: 2, graph: { nodes: [node], edges: [] }, schemas: {} };
const mine = { ...node, id: "mine" };

function opened(ask: Follower["ask"] = () => Promise.resolve(theirs), document: Document = EMPTY) {
  const store = createDocumentStore(1, document, 1);
  const autosave = new Autosave(store, () => Promise.resolve({ revision: 9 }));
  return { store, autosave, operators: new Map(), ask };
}

function listIds({ store }: Follower) {
  return store.getState().document.graph.nodes.map(({ id }) => id);
}

it("adopts what another tab saved, as no step of undo", async () => {
  const editor = opened();

  const news = await look(editor);

  expect(news).toBe("adopted");
  expect(editor.store.getState()).toMatchObject({ revision: 2, saving: { word: "saved" } });
  expect(listIds(editor)).toEqual(["a"]);
  expect(editor.store.getState().history.past).toEqual([]);
});

it("keeps what another user saved when this user takes a step back, and forth", async () => {
  const both = { ...theirs, revision: 10, graph: { nodes: [mine, node], edges: [] } };
  const editor = opened(() => Promise.resolve(both));
  editor.store.getState().edit(add(mine));
  await editor.autosave.flush();

  await look(editor);
  const [ours] = editor.store.getState().document.graph.nodes;
  editor.store.getState().undo();

  expect(ours).toBe(mine); // it is not drawn again
  expect(listIds(editor)).toEqual(["a"]);
  editor.store.getState().redo();
  expect(listIds(editor).sort()).toEqual(["a", "mine"]);
});

it("stays as it is while nobody saved", async () => {
  const editor = opened(() => Promise.resolve({ ...theirs, revision: 1 }));

  expect(await look(editor)).toBeNull();
  expect(editor.store.getState().document).toBe(EMPTY);
});

it("adopts nothing over what is not saved, nor over what is drawn while it asks", async () => {
  const editor = opened(() => {
    editor.store.getState().edit(add(mine));
    return Promise.resolve(theirs);
  });

  expect(await look(editor)).toBeNull();
  expect(await look(editor)).toBeNull();
  expect(listIds(editor)).toEqual(["mine"]);
});

it("tells that the topology is gone", async () => {
  const gone = () => Promise.reject(new Refusal(404, "not_found", "There is no topology 1.", ""));

  expect(await look(opened(gone))).toBe("deleted");
});

it("adopts a revision that it hears of, once nothing is unsaved", async () => {
  const ask = vi.fn(() => Promise.resolve({ ...theirs, revision: 10 }));
  const editor = opened(ask);
  const { hear, stop } = followDraft(editor);
  hear(1);
  editor.store.getState().edit(add(mine));

  hear(10);
  expect(ask).not.toHaveBeenCalled();
  await editor.autosave.flush();

  await vi.waitFor(() => expect(editor.store.getState().revision).toBe(10));
  expect(ask).toHaveBeenCalledTimes(1);
  stop();
});

function conflictOf(base: Document): Conflict {
  return { message: "Ben saved.", revision: 2, base: base.graph, theirs: theirs.graph };
}

it("merges what another user saved at the same moment, and undo takes back this user's steps only", async () => {
  const editor = opened();
  editor.store.getState().edit(add(mine));
  editor.store.getState().setSaving({ word: "conflict", conflict: conflictOf(EMPTY) });

  expect(await settle(editor, conflictOf(EMPTY))).toBe(true);

  expect(listIds(editor).sort()).toEqual(["a", "mine"]);
  expect(editor.store.getState()).toMatchObject({ revision: 2, saving: { word: "unsaved" } });
  editor.store.getState().undo();
  expect(listIds(editor)).toEqual(["a"]);
});

it("asks where both changed the same", async () => {
  const began = { graph: { nodes: [{ ...node, config: { topic: "one" } }], edges: [] }, schemas: {} };
  const editor = opened(undefined, began);
  const ended = { graph: { nodes: [{ ...node, config: { topic: "two" } }], edges: [] }, schemas: {} };
  editor.store.getState().edit(() => ended);
  editor.store.getState().setSaving({ word: "conflict", conflict: conflictOf(began) });

  expect(await settle(editor, conflictOf(began))).toBe(false);
  expect(editor.store.getState().saving.word).toBe("conflict");
});
