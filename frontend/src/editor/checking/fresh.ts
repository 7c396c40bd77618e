import type { Issue, IssueCode } from "../../api/types";

/** What a drawing under way lacks, but does nothing wrong by. */
const OPEN: readonly IssueCode[] = [
  "field.missing",
  "expression.unfed",
  "port.unconnected",
  "node.unused",
  "graph.no_sink",
  "branch.empty",
  "aggregate.none",
  "value.none",
  "join.window",
];

/** Whether something is not there yet, which is no error: a setting, an edge, a sink. */
export function isOpen({ code }: Issue): boolean {
  return OPEN.includes(code);
}

/** What every drawing lacks until its last edge is drawn: a reader of its last node, and a sink. */
const LOOSE_ENDS: readonly IssueCode[] = ["node.unused", "graph.no_sink"];

/** Whether it is only where the drawing goes on. It prevents a deploy, but it is no problem before one. */
export function isLooseEnd({ code }: Pick<Issue, "code">): boolean {
  return LOOSE_ENDS.includes(code);
}

/** Whether nodes only need settings and edges. */
export function isFresh(issues: readonly Issue[]): boolean {
  return issues.every(isOpen);
}

const OF_EDGES: readonly IssueCode[] = ["node.unused", "port.unconnected", "expression.unfed", "graph.no_sink"];

/** What an unfinished node needs next: a setting, or else an edge. */
export function chooseNextStep(issues: readonly Issue[]): "Set up" | "Connect" {
  return issues.every(({ code }) => OF_EDGES.includes(code)) ? "Connect" : "Set up";
}
