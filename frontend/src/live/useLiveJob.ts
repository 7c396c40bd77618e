import { useEffect, useState } from "react";
import { jobHistory, liveState } from "../api/calls";
import { signIn } from "../api/session";
import { applyEvent, stateOf } from "./applyEvent";
import { appended, joined, type Point } from "./history";
import { pointOf } from "./numbers";
import { openSocket } from "./socket";
import type { LiveEvent, LiveState, Snapshot } from "./state";
import { Watch, type Connection } from "./watch";

export interface LiveJob {
  readonly state: LiveState | null;
  readonly connection: Connection;
  readonly history: readonly Point[];
}

export const NOTHING: LiveJob = { state: null, connection: "connecting", history: [] };
const NOT_SIGNED_IN = 4401;
const NO_SUCH_JOB = 4404;
const MOST_SILENCE_MS = 10_000;

/** A job's live state while `on` and the tab is seen. Out of sight the connection is let go, and nothing is drawn. */
export function useLiveJob(id: number, on = true): LiveJob {
  const [job, setJob] = useState<LiveJob>(NOTHING);
  useEffect(() => (on ? followJob(id, setJob) : undefined), [id, on]);
  return job;
}

/** Keep a live state current, until the returned function is called. */
export function followJob(id: number, change: (update: (before: LiveJob) => LiveJob) => void): () => void {
  const watch = watchJob(id, (state, connection) => change((before) => after(before, state, connection)));
  const look = () => {
    if (document.hidden) {
      watch.sleep();
      return;
    }
    watch.wake();
    void jobHistory(id).then((points) => change((before) => remembering(before, points)), ignore);
  };
  const online = () => watch.hurry();
  look();
  document.addEventListener("visibilitychange", look);
  window.addEventListener("online", online);
  return () => {
    document.removeEventListener("visibilitychange", look);
    window.removeEventListener("online", online);
    watch.sleep();
  };
}

function watchJob(
  id: number,
  changed: (state: LiveState | null, connection: Connection) => void,
): Watch<LiveState, LiveEvent> {
  return new Watch<LiveState, LiveEvent>({
    open: () => openSocket(`/ws/jobs/${id}/`),
    fetchState: async () => stateOf(await liveState(id), Date.now()),
    snapshotOf: (message) => (isSnapshot(message) ? stateOf(message, Date.now()) : null),
    eventOf: (message) => message as LiveEvent,
    apply: (state, event) => applyEvent(state, event, Date.now()),
    changed,
    refused: (code) => {
      if (code === NOT_SIGNED_IN) void signIn();
      return code === NOT_SIGNED_IN || code === NO_SUCH_JOB;
    },
    mostSilence: (state) => (state.standing.status === "running" ? MOST_SILENCE_MS : null),
    wait: (ms, then) => {
      const timer = window.setTimeout(then, ms);
      return () => window.clearTimeout(timer);
    },
  });
}

function isSnapshot(message: unknown): message is Snapshot {
  return typeof message === "object" && message !== null && "type" in message && message.type === "snapshot";
}

function after(before: LiveJob, state: LiveState | null, connection: Connection): LiveJob {
  const numbers = state?.numbers ?? null;
  const history = numbers === null ? before.history : appended(before.history, pointOf(numbers));
  return { state, connection, history };
}

function remembering(before: LiveJob, points: readonly Point[]): LiveJob {
  return { ...before, history: joined(points, before.history) };
}

/** Without its history a sparkline starts empty; the numbers are shown all the same. */
function ignore(): void {}
