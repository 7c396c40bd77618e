import { expect, it } from "vitest";
import { Refusal } from "../../api/refusal";
import type { GraphNode } from "../../api/types";
import { add, EMPTY } from "../document/document";
import { look } from "./presence";
import { Autosave } from "./saving";
import { createDocumentStore } from "../document/documentStore";

const node: GraphNode = { id: "a", operator: "filter", config: {}, position: { x: 0, y: 0 } };
const theirs = { revision: 2, graph: { nodes: [node], edges: [] }, schemas: {} };

function opened() {
  const store = createDocumentStore(1, EMPTY, 1);
  const autosave = new Autosave(store, () => Promise.resolve({ revision: 9 }));
  return { store, autosave };
}

it("adopts what another tab saved, as no step of undo", async () => {
  const { store, autosave } = opened();

  const news = await look(store, autosave, () => Promise.resolve(theirs));

  expect(news).toBe("adopted");
  expect(store.getState()).toMatchObject({ revision: 2, saving: { word: "saved" } });
  expect(store.getState().document.graph.nodes).toEqual([node]);
  expect(store.getState().history.past).toEqual([]);
});

it("stays as it is while nobody saved", async () => {
  const { store, autosave } = opened();

  expect(await look(store, autosave, () => Promise.resolve({ ...theirs, revision: 1 }))).toBeNull();
  expect(store.getState().document).toBe(EMPTY);
});

it("adopts nothing over what is not saved, nor over what is drawn while it asks", async () => {
  const { store, autosave } = opened();
  const draw = () => store.getState().edit(add({ ...node, id: "mine" }));

  const asked = look(store, autosave, () => {
    draw();
    return Promise.resolve(theirs);
  });

  expect(await asked).toBeNull();
  expect(await look(store, autosave, () => Promise.resolve(theirs))).toBeNull();
  expect(store.getState().document.graph.nodes.map(({ id }) => id)).toEqual(["mine"]);
});

it("tells that the topology is gone", async () => {
  const { store, autosave } = opened();
  const gone = () => Promise.reject(new Refusal(404, "not_found", "There is no topology 1.", ""));

  expect(await look(store, autosave, gone)).toBe("deleted");
});
