/** The open alerts: one request serves all who show them. */
import { useEffect } from "react";
import { create } from "zustand";
import { listOpenAlerts } from "../api/calls";
import type { Alert } from "../api/types";
import { AnswerOrder } from "../api/answerOrder";

const LOOK_MS = 5_000;

interface Open {
  readonly alerts: readonly Alert[];
  /** Whether the server has said which there are. */
  readonly isKnown: boolean;
}

const useStore = create<Open>()(() => ({ alerts: [], isKnown: false }));
const order = new AnswerOrder();
let followers = 0;
let timer = 0;

/** The part of the open alerts that `select` takes: a plain value, or a cached one. */
export function useAlerts<T>(select: (alerts: readonly Alert[]) => T): T {
  useEffect(follow, []);
  return useStore(({ alerts }) => select(alerts));
}

/** Whether the server has said which alerts are open. Until then none may only seem to be. */
export function useAreAlertsKnown(): boolean {
  return useStore(({ isKnown }) => isKnown);
}

/** Asks now. Without an answer the last alerts stay. */
export async function fetchAlerts(): Promise<void> {
  const isNewer = order.begin();
  const alerts = await listOpenAlerts().catch(() => null);
  if (alerts === null || !isNewer()) return;
  const before = useStore.getState();
  useStore.setState({ alerts: areSame(alerts, before.alerts) ? before.alerts : alerts, isKnown: true });
}

/** The firing alerts of a job, or of a part of it: a node or a topic. */
export function findFiring(alerts: readonly Alert[], job: number, parts: readonly string[] | null = null): Alert[] {
  return alerts.filter(
    (alert) => alert.state === "firing" && alert.job === job && (parts === null || parts.includes(alert.part)),
  );
}

/** The firing alerts of a host. */
export function findFiringOn(alerts: readonly Alert[], host: string): Alert[] {
  return alerts.filter((alert) => alert.state === "firing" && alert.host === host);
}

/** Whether an alert fires, and nobody has silenced it. */
export function isUnsilenced({ state, silenced_until }: Alert): boolean {
  return state === "firing" && silenced_until === null;
}

/** The texts of alerts, one per line. */
export function describeAlerts(alerts: readonly Alert[]): string {
  return alerts.map(({ text }) => text.replaceAll("`", "")).join("\n");
}

function follow(): () => void {
  followers += 1;
  if (followers === 1) {
    void fetchAlerts();
    timer = window.setInterval(() => {
      if (!document.hidden) void fetchAlerts();
    }, LOOK_MS);
  }
  return () => {
    followers -= 1;
    if (followers === 0) window.clearInterval(timer);
  };
}

function areSame(some: readonly Alert[], others: readonly Alert[]): boolean {
  return JSON.stringify(some) === JSON.stringify(others);
}
