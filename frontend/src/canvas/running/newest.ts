/** The newest record that reached a node of a job. */
import { useEffect, useState } from "react";
import { followInJob } from "../../api/calls";
import { toRefusal, type Refusal } from "../../api/refusal";
import type { JobWay, Step } from "../../api/types";
import type { LiveState } from "../../live/state";

export interface Newest {
  readonly way: JobWay | null;
  readonly refusal: Refusal | null;
}

const NOTHING: Newest = { way: null, refusal: null };
/** The job executes a batch again to answer, so an answer serves for a while. */
const FRESH_MS = 5_000;
const answers = new Map<string, { readonly at: number; readonly answer: Promise<Newest> }>();

function fetchNewest(job: number, node: string): Promise<Newest> {
  const key = `${job} ${node}`;
  const known = answers.get(key);
  if (known !== undefined && Date.now() - known.at < FRESH_MS) return known.answer;
  const answer = followInJob(job, { node }).then(
    (way): Newest => ({ way, refusal: null }),
    (error: unknown): Newest => ({ way: null, refusal: toRefusal(error) }),
  );
  answers.set(key, { at: Date.now(), answer });
  return answer;
}

/** Asked once, and again every `everyMs` while the tab is visible. The last record stays while a newer one is asked. */
export function useNewest(job: number, node: string, everyMs: number | null = null): Newest {
  const [newest, setNewest] = useState<Newest>(NOTHING);
  useEffect(() => {
    let isOver = false;
    const ask = async () => {
      const next = await fetchNewest(job, node);
      if (!isOver) setNewest((before) => (next.way === null && before.way !== null ? before : next));
    };
    void ask();
    if (everyMs === null) return () => void (isOver = true);
    const timer = window.setInterval(() => document.visibilityState === "visible" && void ask(), everyMs);
    return () => {
      isOver = true;
      window.clearInterval(timer);
    };
  }, [job, node, everyMs]);
  return newest;
}

/** Whether a record has reached a node in this run. Without one no batch of it can be executed again. */
export function hasSeenRecord(state: LiveState | null, node: string): boolean {
  const counts = state?.numbers?.nodes[node];
  return counts !== undefined && counts.in + counts.out + counts.errors > 0;
}

/** The record at a node: what it forwarded last, or what reached it. */
export function findRecord(step: Step | undefined): Step["record"] | null {
  return step?.outputs.at(-1) ?? step?.record ?? null;
}
