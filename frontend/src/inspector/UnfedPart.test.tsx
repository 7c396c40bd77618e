import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import type { Graph } from "../api/types";
import { createDocumentStore } from "../editor/document/documentStore";
import { createInterfaceStore } from "../editor/interface/interfaceStore";
import { documentOf, edge, node, RULES } from "../editor/samples";
import { Autosave } from "../editor/saving/saving";
import { EditingContext } from "../editor/interface/useEditor";
import { UnfedPart } from "./UnfedPart";

const nodes = [node("orders", "stream"), node("customers", "table"), node("joined", "join")];

function drawn(graph: Graph): string {
  const store = createDocumentStore(1, { graph, schemas: {} }, 1);
  const editing = {
    store,
    ui: createInterfaceStore(),
    autosave: new Autosave(store),
    catalogue: {
      operators: [],
      refused: [],
      pairs: [],
      messages: {},
      cures: {},
      python: { is_allowed: true, why: "" },
    },
    rules: RULES,
  };
  return renderToStaticMarkup(
    <EditingContext value={editing}>
      <UnfedPart id="joined" graph={graph} />
    </EditingContext>,
  );
}

it("says which input nothing feeds, and offers what could", () => {
  const html = drawn(documentOf(nodes, [edge("orders joined", "left")]).graph);

  expect(html).toContain("Nothing feeds <code>right</code> yet. Feed it from:");
  expect(html).toMatch(/<button[^>]*>customers<\/button>/);
  expect(html).not.toContain("<code>left</code>");
});

it("says nothing where everything is fed", () => {
  expect(drawn(documentOf(nodes, [edge("orders joined", "left"), edge("customers joined", "right")]).graph)).toBe("");
});

it("offers a node that nobody reads before those that are read", () => {
  const html = drawn(documentOf(nodes, [edge("orders joined", "left")]).graph);

  expect(html.indexOf(">customers<")).toBeLessThan(html.indexOf(">orders<"));
});

it("offers topics as what the input takes", () => {
  const html = drawn(documentOf(nodes, [edge("orders joined", "left")]).graph);

  expect(html).toContain("a topic, as table");
});
