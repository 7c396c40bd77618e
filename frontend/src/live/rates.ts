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
