import { useEffect, useState } from "react";
import { fetchJobHistory, fetchLiveState } from "../api/calls";
import { applyEvent, readSnapshot } from "./applyEvent";
import { addSample, type Sample } from "./minute";
import { addPoint, join, type Point } from "./history";
import { makePoint } from "./numbers";
import type { Connection } from "./line";
import { keepWhileVisible, makeWiring } from "./socket";
import type { LiveEvent, LiveState, Snapshot } from "./state";
import { Watch } from "./watch";

export interface LiveJob {
  readonly state: LiveState | null;
  readonly connection: Connection;
  readonly history: readonly Point[];
  readonly minute: readonly Sample[];
}

export const NOTHING: LiveJob = { state: null, connection: "connecting", history: [], minute: [] };
const MAX_SILENCE_MS = 10_000;

/** A job's live state while `on` and the tab is visible. In a hidden tab it closes the connection and draws nothing. */
export function useLiveJob(id: number, isOn = true): LiveJob {
  const [job, setJob] = useState<LiveJob>(NOTHING);
  useEffect(() => (isOn ? followJob(id, setJob) : undefined), [id, isOn]);
  return job;
}

/** Keeps a live state current until the returned function is called. */
export function followJob(id: number, change: (update: (before: LiveJob) => LiveJob) => void): () => void {
  const watch = watchJob(id, (state, connection) => change((before) => withState(before, state, connection)));
  let isOver = false;
  const letGo = keepWhileVisible(watch.line, () => {
    void fetchJobHistory(id).then((points) => {
      if (!isOver) change((before) => withHistory(before, points));
    }, ignore);
  });
  return () => {
    letGo();
    isOver = true;
  };
}

function watchJob(
  id: number,
  onChange: (state: LiveState | null, connection: Connection) => void,
): Watch<LiveState, LiveEvent> {
  return new Watch<LiveState, LiveEvent>(makeWiring(`/ws/jobs/${id}/`), {
    fetchState: async () => readSnapshot(await fetchLiveState(id), Date.now()),
    snapshotOf: (message) => (isSnapshot(message) ? readSnapshot(message, Date.now()) : null),
    eventOf: (message) => message as LiveEvent,
    apply: (state, event) => applyEvent(state, event, Date.now()),
    onChange,
    mostSilence: (state) => (state.jobStatus.status === "running" ? MAX_SILENCE_MS : null),
  });
}

function isSnapshot(message: unknown): message is Snapshot {
  return typeof message === "object" && message !== null && "type" in message && message.type === "snapshot";
}

/** The job's live state after a newer one, with the minute and hour before. */
export function withState(before: LiveJob, state: LiveState | null, connection: Connection): LiveJob {
  const numbers = state?.numbers ?? null;
  const history = numbers === null ? before.history : addPoint(before.history, makePoint(numbers));
  const minute = state === null ? before.minute : addSample(before.minute, state);
  return { state, connection, history, minute };
}

function withHistory(before: LiveJob, points: readonly Point[]): LiveJob {
  return { ...before, history: join(points, before.history) };
}

/** Without its history a sparkline starts empty. The numbers appear anyway. */
function ignore(): void {}
