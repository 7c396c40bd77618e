import { expect, it } from "vitest";
import { configure, EMPTY, type Document } from "../../editor/document/document";
import { makeContentKey } from "../../editor/document/contentKey";
import { createDocumentStore } from "../../editor/document/documentStore";
import { canTry } from "./useTrialAnswer";

const WINDOWED = { id: "windowed", operator: "windowed_by", config: { size_ms: 60_000 }, position: { x: 0, y: 0 } };
const WHOLE = { ...EMPTY, graph: { nodes: [WINDOWED], edges: [] } };
const EMPTIED = configure("windowed", {})(WHOLE);
const ISSUE = { code: "field.missing", message: "", hint: "", level: "error", node: "windowed" } as const;

/** Whether `content` may be tried once `checked` was checked. */
function canTryAfter(checked: Document, content: Document, issues: readonly (typeof ISSUE)[]) {
  const store = createDocumentStore(1, content, 1);
  const nodes = { windowed: { inputs: {}, outputs: {} } };
  const result = { nodes, issues, hints: [], shuffles: [] };
  store.getState().setCheckResult(result as never, checked);
  return canTry(store.getState(), makeContentKey(content), content.graph, "windowed");
}

it("tries what was checked and has no issue", () => {
  expect(canTryAfter(WHOLE, WHOLE, [])).toBe(true);
  expect(canTryAfter(EMPTIED, EMPTIED, [ISSUE])).toBe(false);
});

it("waits for the check of an edit, also when a field is emptied faster than the check answers", () => {
  expect(canTryAfter(WHOLE, EMPTIED, [])).toBe(false);
  expect(canTryAfter(EMPTIED, WHOLE, [])).toBe(false);
});
