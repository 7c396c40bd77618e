import { expect, it } from "vitest";
import { followTypes } from "../graph/ports";
import { findBypassable, toggleBypass } from "./bypassing";
import { bypass } from "../document/document";
import { createDocumentStore } from "../document/documentStore";
import { createInterfaceStore } from "../interface/interfaceStore";
import { merge } from "../comparing/merge";
import { documentOf, edge, node, RULES } from "../samples";

const DRAWN = documentOf(
  [node("in", "stream"), node("grouped", "group_by_key"), node("late"), node("out", "to")],
  [edge("in late"), edge("late grouped"), edge("late out")],
);

function stores(...selected: readonly string[]) {
  const ui = createInterfaceStore();
  ui.getState().select(selected);
  return { store: createDocumentStore(1, DRAWN, 1), ui, rules: RULES };
}

const bypassedIn = ({ store }: ReturnType<typeof stores>) =>
  store.getState().document.graph.nodes.filter(({ bypassed }) => bypassed).map(({ id }) => id);

it("bypasses what can be, and uses all of it again", () => {
  const editing = stores("in", "late", "grouped", "out");

  toggleBypass(editing);
  expect(bypassedIn(editing)).toEqual(["grouped", "late"]);

  toggleBypass(editing);
  expect(bypassedIn(editing)).toEqual([]);
});

it("bypasses nothing where no node has just one input and one output", () => {
  expect(findBypassable(stores("in", "out")).ids.size).toBe(0);
});

it("gives what arrives at a bypassed node", () => {
  const { graph } = bypass(new Set(["grouped"]), true)(DRAWN);

  expect(followTypes(DRAWN.graph, RULES.operators).findType("grouped", "out")).toBe("KGroupedStream");
  expect(followTypes(graph, RULES.operators).findType("grouped", "out")).toBe("KStream");
});

it("is kept where others changed something else", () => {
  const theirs = bypass(new Set(["late"]), true)(DRAWN).graph;
  const mine = { ...DRAWN.graph, nodes: DRAWN.graph.nodes.map((one) => ({ ...one, config: { note: 1 } })) };

  const { graph, clashes } = merge(DRAWN.graph, mine, theirs, RULES.operators);

  expect(graph.nodes.find(({ id }) => id === "late")).toMatchObject({ bypassed: true, config: { note: 1 } });
  expect(clashes).toEqual([]);
});
