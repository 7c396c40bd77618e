import { useCallback, useMemo, useState } from "react";
import { listRuns } from "../../api/calls";
import type { Job, Run } from "../../api/types";
import { useResource } from "../../api/useResource";
import { useLive } from "../../live/LiveContext";
import type { Numbers } from "../../live/state";
import { addNumbers, chooseBooks, NO_LEDGER, type Books, type Ledger } from "./accounting";
import { findStart } from "./starting";

interface BooksState {
  readonly numbers: Numbers | null;
  readonly ledger: Ledger;
}

const NO_RUNS: readonly Run[] = [];

/** The books of a topic that a node of the job reads, updated with the numbers. Null while they do not add up. */
export function useBooks(job: Job, topic: string, node: string): Books | null {
  const numbers = useLive(({ state }) => state?.numbers ?? null);
  const run = numbers?.generation ?? null;
  const runs = useRuns(job.id, run);
  const start = useMemo(() => findStart(job, runs, run, topic), [job, runs, run, topic]);
  const source = useMemo(() => ({ topic, node, start }), [topic, node, start]);
  const [state, setState] = useState<BooksState>({ numbers: null, ledger: NO_LEDGER });
  if (numbers !== null && numbers !== state.numbers) {
    setState({ numbers, ledger: addNumbers(state.ledger, numbers, source) });
  }
  return chooseBooks(state.ledger);
}

/** The job's runs, fetched again for each new one. */
function useRuns(job: number, run: number | null): readonly Run[] {
  const load = useCallback(() => (run === null ? Promise.resolve([]) : listRuns(job)), [job, run]);
  return useResource(load).data ?? NO_RUNS;
}
