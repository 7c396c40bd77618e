import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import type { Graph } from "../api/types";
import { documentOf, edge, editingOf, node } from "../editor/samples";
import { EditingContext } from "../editor/interface/useEditor";
import { UnfedPart } from "./UnfedPart";

const nodes = [node("orders", "stream"), node("customers", "table"), node("joined", "join")];

function drawn(graph: Graph): string {
  return renderToStaticMarkup(
    <EditingContext value={editingOf({ graph, schemas: {} })}>
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
