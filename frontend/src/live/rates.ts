import type { LiveState, NodeNumbers, Numbers, SourceNumbers } from "./state";

/** The numbers to show: those of a run that is over, or not yet the newest, keep their counts but flow no more. */
export function shownNumbers(state: LiveState | null): Numbers | null {
  if (state?.numbers == null) return null;
  return flows(state) ? state.numbers : still(state.numbers);
}

/** Whether the run whose numbers these are is alive. */
export function flows({ standing, numbers }: LiveState): boolean {
  return standing.status !== "stopped" && standing.status !== "failed" && standing.run === numbers?.run;
}

function still(numbers: Numbers): Numbers {
  return {
    ...numbers,
    rate: 0,
    slowest: null,
    nodes: each(numbers.nodes, stilledNode),
    sources: each(numbers.sources, stilledSource),
  };
}

function stilledNode(node: NodeNumbers): NodeNumbers {
  return { ...node, rate: 0, out_rate: 0, busy: 0 };
}

function stilledSource(source: SourceNumbers): SourceNumbers {
  return { ...source, rate: 0, lag_s: null, trend: null };
}

function each<Member>(members: Readonly<Record<string, Member>>, change: (member: Member) => Member) {
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, change(member)]));
}
