import { expect, it } from "vitest";
import type { CheckResult } from "../../api/checkResult";
import type { Issue, IssueCode } from "../../api/types";
import { documentOf, node } from "../samples";
import { add, EMPTY, move, remove } from "./document";
import { createDocumentStore } from "./documentStore";

const issue = (code: IssueCode, node: string): Issue => ({
  code,
  level: "error",
  message: "",
  hint: "",
  args: {},
  node,
  field: "topic",
  span: null,
  fix: null,
});
const CHECKED: CheckResult = { issues: [], hints: [], nodes: {}, shuffles: [] };

it("reports a missing topic once its name is typed, and that of another node at once", () => {
  const store = createDocumentStore(1, EMPTY, 1);
  const { setCheckResult, setTopicIssues, setTyping } = store.getState();
  const missing = [issue("topic.missing", "orders"), issue("topic.missing", "payments")];
  setCheckResult(CHECKED, EMPTY);

  setTyping("orders");
  setTopicIssues(missing);
  expect(store.getState().issues).toEqual(missing.slice(1));
  expect(store.getState().issuesByNode.has("orders")).toBe(false);

  setTyping(null);
  expect(store.getState().issues).toEqual(missing);
});

it("takes no step for an edit that changes nothing, so that what was undone can be redone", () => {
  const store = createDocumentStore(1, documentOf([node("orders", "stream", 8, 16)]), 1);
  const { edit, undo, redo } = store.getState();
  edit(add(node("paid")));
  undo();

  edit(move(new Map([["orders", { x: 8, y: 16 }]]))); // dragged back to its place
  edit(remove(new Set(["paid"]), new Set())); // the selection still names the node that was undone
  expect(store.getState().history.past).toEqual([]);
  redo();

  expect(store.getState().document.graph.nodes.map(({ id }) => id)).toEqual(["orders", "paid"]);
});
