import { isUserActive } from "./userActivity";

/** Anything that tells its listeners about changes. */
export interface Source {
  subscribe(listener: () => void): () => void;
}

export type Subscribe = (listener: () => void) => () => void;

const AT_ONCE = 128;
/** While the user drags or types: the number that fits into a frame beside a drag, with a pause after it. */
const WHILE_ACTIVE = 48;
const PAUSE_MS = 200;

/**
 * Tells its listeners of a change in turns, some each frame, the longest waiting first: hundreds of badges in one
 * frame would delay the pointer. While the user drags or types the turns are smaller, with a pause
 * between them.
 */
export function spreadOverFrames(
  source: Source,
  nextFrame: (then: (at: number) => void) => void = (then) => requestAnimationFrame(then),
  isBusy: () => boolean = isUserActive,
): Subscribe {
  const listeners = new Set<() => void>();
  const waiting = new Set<() => void>();
  let stop: (() => void) | null = null;
  let isAsked = false;
  let lastTurn = -Infinity;

  function ask(): void {
    if (isAsked || waiting.size === 0) return;
    isAsked = true;
    nextFrame(tell);
  }

  function tell(at: number): void {
    isAsked = false;
    const isActive = isBusy();
    if (isActive && at - lastTurn < PAUSE_MS) {
      ask();
      return;
    }
    lastTurn = at;
    for (const listener of [...waiting].slice(0, isActive ? WHILE_ACTIVE : AT_ONCE)) {
      waiting.delete(listener);
      listener();
    }
    ask();
  }

  function noteChange(): void {
    for (const listener of listeners) waiting.add(listener);
    ask();
  }

  return (listener) => {
    listeners.add(listener);
    stop ??= source.subscribe(noteChange);
    return () => {
      listeners.delete(listener);
      waiting.delete(listener);
      if (listeners.size > 0) return;
      stop?.();
      stop = null;
    };
  };
}
