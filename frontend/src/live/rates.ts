import type { GraphEdge } from "../api/types";
import type { LiveState, NodeNumbers, Numbers, SourceNumbers } from "./state";

/** The numbers to show. If the run is over, or not the newest yet, counts stay but nothing flows. */
export function chooseNumbers(state: LiveState | null): Numbers | null {
  if (state?.numbers == null) return null;
  return flows(state) ? state.numbers : clearRates(state.numbers);
}

/** Whether the run of these numbers is alive. */
export function flows({ jobStatus, numbers }: LiveState): boolean {
  return jobStatus.status !== "stopped" && jobStatus.status !== "failed" && jobStatus.run === numbers?.run;
}

/**
 * Records per second through an edge: those that arrive, if nothing else arrives at its target. Otherwise those that
 * leave its source, which are too many where it has several outputs.
 */
export function findEdgeRate(nodes: Numbers["nodes"] | undefined, edge: GraphEdge, isOnlyInput: boolean): number {
  const [source, target] = [nodes?.[edge.source], nodes?.[edge.target]];
  if (source === undefined || target === undefined) return 0;
  return isOnlyInput ? target.rate : source.out_rate;
}

function clearRates(numbers: Numbers): Numbers {
  return {
    ...numbers,
    rate: 0,
    slowest: null,
    nodes: mapMembers(numbers.nodes, clearRatesOfNode),
    sources: mapMembers(numbers.sources, clearRatesOfSource),
  };
}

function clearRatesOfNode(node: NodeNumbers): NodeNumbers {
  return { ...node, rate: 0, out_rate: 0, busy: 0 };
}

function clearRatesOfSource(source: SourceNumbers): SourceNumbers {
  return { ...source, rate: 0, lag_s: null, trend: null };
}

function mapMembers<Member>(members: Readonly<Record<string, Member>>, change: (member: Member) => Member) {
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, change(member)]));
}
