/** Undo and redo with whole documents, which share unchanged parts. Selection and viewport are not included. */
export interface History<T> {
  readonly past: readonly T[];
  readonly present: T;
  readonly future: readonly T[];
  /** The burst of the newest step: typing into one field is one step. */
  readonly burst: Burst | null;
}

interface Burst {
  readonly name: string;
  readonly at: number;
}

const MAX_STEPS = 200;
const BURST_MS = 1_000;
/** Steps that stay after another user's change. For a large topology, more would halt the page for too long. */
const MAX_REBASED = 50;

export function startHistory<T>(present: T): History<T> {
  return { past: [], present, future: [], burst: null };
}

/** Adds a step. A step soon after another of the same burst joins it. */
export function addEdit<T>(history: History<T>, present: T, name: string | null, now: number): History<T> {
  if (present === history.present) return history;
  const isJoining = name !== null && history.burst?.name === name && now - history.burst.at < BURST_MS;
  return {
    past: isJoining ? history.past : [...history.past, history.present].slice(-MAX_STEPS),
    present,
    future: [],
    burst: name === null ? null : { name, at: now },
  };
}

export function undo<T>(history: History<T>): History<T> {
  const before = history.past.at(-1);
  if (before === undefined) return history;
  return {
    past: history.past.slice(0, -1),
    present: before,
    future: [history.present, ...history.future],
    burst: null,
  };
}

export function redo<T>(history: History<T>): History<T> {
  const [next, ...later] = history.future;
  if (next === undefined) return history;
  return { past: [...history.past, history.present], present: next, future: later, burst: null };
}

/** Another user changed the present: `change` brings the change into every step, so that Undo leaves it alone. */
export function rebase<T>({ past, future }: History<T>, present: T, change: (step: T) => T): History<T> {
  return {
    past: past.slice(-MAX_REBASED).map(change),
    present,
    future: future.slice(0, MAX_REBASED).map(change),
    burst: null,
  };
}
