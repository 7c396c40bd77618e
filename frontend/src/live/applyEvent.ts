import type { LiveEvent, LiveState, Numbers, Snapshot } from "./state";

/** The state in a snapshot, received at `now`. */
export function readSnapshot(snapshot: Snapshot, now: number): LiveState {
  const { type: _type, sequence, numbers, age_ms, is_stale: _isStale, ...jobStatus } = snapshot;
  return { sequence, jobStatus, numbers, heard_at: age_ms === null ? null : now - age_ms };
}

/** The state after `event`, received at `now`. Unknown events only count. */
export function applyEvent(state: LiveState, event: LiveEvent, now: number): LiveState {
  switch (event.type) {
    case "run.status_changed": {
      const { type: _type, sequence, ...jobStatus } = event;
      return { ...state, sequence, jobStatus };
    }
    case "job.progressed":
      return { ...state, sequence: event.sequence, numbers: merge(state.numbers, event.numbers), heard_at: now };
    default:
      return { ...state, sequence: (event as LiveEvent).sequence };
  }
}

/** Numbers of another run replace all. For the same run, unchanged nodes and sources were not sent. */
function merge(before: Numbers | null, change: Partial<Numbers>): Numbers | null {
  if (before === null || (change.run !== undefined && change.run !== before.run)) return asNumbers(change);
  return {
    ...before,
    ...change,
    nodes: { ...before.nodes, ...change.nodes },
    sources: { ...before.sources, ...change.sources },
  };
}

/** The first event of a run carries all its numbers. A later one alone has too few to show. */
function asNumbers(change: Partial<Numbers>): Numbers | null {
  return change.run !== undefined && change.nodes && change.sources && change.batch ? (change as Numbers) : null;
}
