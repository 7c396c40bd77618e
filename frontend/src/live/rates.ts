import type { LiveState, Numbers } from "./state";

/** The numbers to show: those of a run that is over, or not yet the newest, keep their counts but flow no more. */
export function shownNumbers(state: LiveState | null): Numbers | null {
  if (state?.numbers == null) return null;
  return flows(state) ? state.numbers : stilled(state.numbers);
}

/** Whether the run whose numbers these are is alive. */
export function flows({ standing, numbers }: LiveState): boolean {
  return standing.status !== "stopped" && standing.status !== "failed" && standing.run === numbers?.run;
}

function stilled(numbers: Numbers): Numbers {
  return { ...numbers, rate: 0, nodes: withoutRates(numbers.nodes), sources: withoutRates(numbers.sources) };
}

function withoutRates<Member extends { readonly rate: number }>(members: Readonly<Record<string, Member>>) {
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, { ...member, rate: 0 }]));
}
