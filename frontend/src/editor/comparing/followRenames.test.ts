import { expect, it } from "vitest";
import { remove, rename } from "../document/document";
import { createDocumentStore } from "../document/documentStore";
import { documentOf, edge, node } from "../samples";
import { followRenames } from "./followRenames";
import { createInterfaceStore } from "../interface/interfaceStore";

function open() {
  const editor = createDocumentStore(1, documentOf([node("orders"), node("large")], [edge("orders large")]), 1);
  const ui = createInterfaceStore();
  followRenames(editor, ui);
  return { editor: editor.getState(), view: () => ui.getState() };
}

it("keeps a node selected that gets another name, with the comment that is not sent, also by Undo", () => {
  const { editor, view } = open();
  view().select(["orders", "large"]);
  view().writeComment("orders", "Is this right?");

  editor.edit(rename("orders", "flights"));

  expect([...view().selection.nodes]).toEqual(["flights", "large"]);
  expect([...view().writtenComments]).toEqual([["flights", "Is this right?"]]);

  editor.undo();

  expect([...view().selection.nodes]).toEqual(["orders", "large"]);
  expect([...view().writtenComments]).toEqual([["orders", "Is this right?"]]);
});

it("leaves the selection alone if a node of it is removed", () => {
  const { editor, view } = open();
  view().select(["orders"]);
  const { selection } = view();

  editor.edit(remove(new Set(["orders"]), new Set()));

  expect(view().selection).toBe(selection);
});
