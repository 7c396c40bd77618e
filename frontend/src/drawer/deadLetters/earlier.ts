/** The dead letters that earlier runs of a job left in its topic. The numbers of a run count only its own. */
import { useContext, useEffect } from "react";
import { create } from "zustand";
import { listDeadLetters } from "../../api/calls";
import type { DeadLetters } from "../../api/types";
import { LiveContext, useLive } from "../../live/LiveContext";
import type { JobStatus, Numbers } from "../../live/state";
import { countDeadLetters } from "./deadLetters";

export interface Earlier {
  readonly all: number;
  readonly byNode: ReadonlyMap<string, number>;
  /** Only the newest letters were read, so `all` counts offsets, of which marks of transactions have some. */
  readonly isAbout: boolean;
}

const NONE: Earlier = { all: 0, byNode: new Map(), isAbout: false };

/** The letters of earlier runs: those that the topic holds, without those of the present run. */
export function findEarlier({ read, groups }: Pick<DeadLetters, "read" | "groups">, numbers: Numbers): Earlier {
  const byNode = new Map<string, number>();
  for (const { node, count } of groups) if (node !== null) byNode.set(node, (byNode.get(node) ?? 0) + count);
  const without = (held: number, node: string | null) => Math.max(0, held - (countDeadLetters(numbers, node) ?? 0));
  return {
    all: without(read.is_all ? read.letters : read.offsets, null),
    isAbout: !read.is_all,
    byNode: new Map([...byNode].map(([node, held]) => [node, without(held, node)])),
  };
}

/** The letters of a job, or of one of its nodes: those of earlier runs and of this one. Null while not known. */
export function countAll(
  numbers: Numbers | null | undefined,
  earlier: Earlier | null,
  node: string | null,
): number | null {
  const own = countDeadLetters(numbers, node);
  if (own === null || earlier === null) return null;
  return own + (node === null ? earlier.all : (earlier.byNode.get(node) ?? 0));
}

interface Found {
  readonly run: number | null;
  readonly earlier: Earlier;
}

/** What is known of a run's earlier letters. Null: not asked or answered yet. */
export function chooseEarlier(found: Found, run: number | null, generation: number | null): Earlier | null {
  if (found.run === run) return found.earlier;
  return (generation ?? 0) > 1 ? null : NONE;
}

export const useFound = create<Found>()(() => ({ run: null, earlier: NONE }));
/** The run that the screen shows. An answer about another one may still come. */
let asked: number | null = null;

/** Reads the topic of a job's dead letters, once for a run. `read` gives the numbers of any time. */
export async function askOnce(job: number, run: number, read: () => Numbers | null): Promise<void> {
  if (asked === run) return;
  asked = run;
  try {
    const answer = await listDeadLetters(job, {});
    const numbers = read();
    if (asked === run && numbers !== null) useFound.setState({ run, earlier: findEarlier(answer, numbers) });
  } catch {
    if (asked !== run) return;
    asked = null; // the cluster is not there, which other parts of the screen report
    useFound.setState({ run, earlier: NONE });
  }
}

/** For the job that the screen follows. A tick redraws nothing here. */
export function useEarlier(): Earlier | null {
  const live = useContext(LiveContext);
  const jobStatus = useLive(({ state }) => state?.jobStatus ?? null);
  const hasNumbers = useLive(({ state }) => state?.numbers != null && state.numbers.run === state.jobStatus.run);
  return useEarlierOf(jobStatus, hasNumbers, () => live.getState().state?.numbers ?? null);
}

/**
 * Reads a job's topic of dead letters once for each run that has numbers. Null until the answer comes.
 * A job's first run has no earlier ones.
 */
export function useEarlierOf(
  jobStatus: JobStatus | null,
  hasNumbers: boolean,
  read: () => Numbers | null,
): Earlier | null {
  const { job, run, generation } = jobStatus ?? { job: 0, run: null, generation: null };
  const isDue = run !== null && hasNumbers && (generation ?? 0) > 1;
  const found = useFound();
  useEffect(() => {
    if (isDue) void askOnce(job, run, read);
    // eslint-disable-next-line react-hooks/exhaustive-deps -- `read` gives the numbers of any time
  }, [job, run, isDue]);
  return chooseEarlier(found, run, generation);
}
