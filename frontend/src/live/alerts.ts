/** The alerts that are open now: asked for by one of all who show them. */
import { useEffect } from "react";
import { create } from "zustand";
import { listOpenAlerts } from "../api/calls";
import type { Alert } from "../api/types";

const LOOK_MS = 5_000;

const useStore = create<{ readonly alerts: readonly Alert[] }>()(() => ({ alerts: [] }));
let followers = 0;
let timer = 0;

/** What `select` takes of the open alerts: a plain value, or one that is kept. */
export function useAlerts<T>(select: (alerts: readonly Alert[]) => T): T {
  useEffect(follow, []);
  return useStore(({ alerts }) => select(alerts));
}

/** Asks now. Without an answer the last ones stay. */
export async function fetchAlerts(): Promise<void> {
  const alerts = await listOpenAlerts().catch(() => null);
  if (alerts !== null && !areSame(alerts, useStore.getState().alerts)) useStore.setState({ alerts });
}

/** The firing ones of a job, or of a part of it: a node or a topic. */
export function findFiring(alerts: readonly Alert[], job: number, parts: readonly string[] | null = null): Alert[] {
  return alerts.filter(
    (alert) => alert.state === "firing" && alert.job === job && (parts === null || parts.includes(alert.part)),
  );
}

/** The firing ones of a host. */
export function findFiringOn(alerts: readonly Alert[], host: string): Alert[] {
  return alerts.filter((alert) => alert.state === "firing" && alert.host === host);
}

/** What they say, a line each. */
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
