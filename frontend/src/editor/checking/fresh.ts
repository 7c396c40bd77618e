import type { Issue, IssueCode } from "../../api/types";

/** Codes that every new node has. */
const FRESH: readonly IssueCode[] = ["field.missing", "port.unconnected", "node.unused"];

/** Whether nodes only need settings and edges, which is not an error yet. */
export function isFresh(issues: readonly Issue[]): boolean {
  return issues.every(({ code }) => FRESH.includes(code));
}
