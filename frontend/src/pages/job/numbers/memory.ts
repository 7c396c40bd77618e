import type { LiveState } from "../../../live/state";

export interface HostMemory {
  readonly host: string;
  readonly role: "driver" | "executors";
  /** In bytes. */
  readonly bytes: number;
}

/** A run's memory on each host, its own first. Empty until it was counted. */
export function splitMemoryByHost(state: LiveState | null): readonly HostMemory[] {
  const memory = state?.numbers?.memory ?? null;
  if (state === null || memory === null) return [];
  const executors = Object.entries(state.numbers?.executors ?? {}).sort(([one], [other]) => one.localeCompare(other));
  const elsewhere = executors.reduce((sum, [, bytes]) => sum + bytes, 0);
  return [
    { host: state.standing.host, role: "driver", bytes: memory - elsewhere },
    ...executors.map(([host, bytes]) => ({ host, role: "executors" as const, bytes })),
  ];
}
