import type { Job, Run } from "../../api/types";
import { formatAmount, formatCount } from "../../ui/text/format";
import { addNumbers, chooseBalance, NO_LEDGER, type Balance, type Ledger } from "./accounting";
import { readsAll, findStart } from "./starting";
import { useCallback, useMemo, useState } from "react";
import { listRuns } from "../../api/calls";
import { useResource } from "../../api/useResource";
import { useLive } from "../../live/LiveContext";
import { isFailing } from "../../live/problem";
import type { JobStatus, Numbers } from "../../live/state";

interface Props {
  readonly job: Job;
  readonly topic: string;
  readonly node: string;
}

/** Shows in numbers that nothing was lost. Claims nothing while the numbers do not add up, or while nothing runs. */
export function Accounting({ job, topic, node }: Props) {
  const balance = useBalance(job, topic, node);
  const isAtWork = useLive(({ state }) => state !== null && isWorking(state.jobStatus));
  if (!isAtWork) {
    return <p className="balance quiet">Nothing is read now, so nothing can be counted. Records wait in the topic.</p>;
  }
  if (balance === null) return <p className="balance quiet">Counting records …</p>;
  const { total, readCount, waiting, continues, run } = balance;
  const word = readsAll(job) ? "read" : "read or skipped at the start";
  return (
    <div className="balance">
      <p className="number">
        <b>Nothing lost:</b> {formatCount(total)} in the topic = {formatCount(readCount)} {word} +{" "}
        {formatCount(waiting)} still to read
      </p>
      <p className="number quiet">
        Since {balance.since === "run" ? `run ${run} started` : `you opened run ${run}`}:{" "}
        {describeCounts(balance, job, node)}
      </p>
      {continues !== null && (
        <p className="number quiet">
          Run {run} continued at the exact record where run {continues} stopped.
        </p>
      )}
    </div>
  );
}

function isWorking(jobStatus: JobStatus): boolean {
  return jobStatus.status === "running" && !isFailing(jobStatus);
}

function describeCounts({ counts }: Balance, job: Job, node: string): string {
  const { readCount, outCount, dropCount, errorCount } = counts;
  const parts = [`${formatCount(outCount)} passed on`];
  if (dropCount > 0) parts.push(`${formatCount(dropCount)} dropped`);
  if (errorCount > 0) parts.push(describeFailures(errorCount, job));
  return `${formatCount(readCount)} read by ${node} = ${parts.join(" + ")}`;
}

function describeFailures(amount: number, { settings }: Job): string {
  const areDeadLetters = settings.deserialization === "dead_letter";
  return areDeadLetters ? formatAmount(amount, "dead letter") : `${formatCount(amount)} failed`;
}

interface BalanceState {
  readonly numbers: Numbers | null;
  readonly ledger: Ledger;
}

const NO_RUNS: readonly Run[] = [];

/** The balance of a topic that a node of the job reads, updated with the numbers. Null while they do not add up. */
function useBalance(job: Job, topic: string, node: string): Balance | null {
  const numbers = useLive(({ state }) => state?.numbers ?? null);
  const run = numbers?.generation ?? null;
  const runs = useRuns(job.id, run);
  const start = useMemo(() => findStart(job, runs, run, topic), [job, runs, run, topic]);
  const source = useMemo(() => ({ topic, node, start }), [topic, node, start]);
  const [state, setState] = useState<BalanceState>({ numbers: null, ledger: NO_LEDGER });
  if (numbers !== null && numbers !== state.numbers) {
    setState({ numbers, ledger: addNumbers(state.ledger, numbers, source) });
  }
  return chooseBalance(state.ledger);
}

/** The job's runs, fetched again for each new one. */
function useRuns(job: number, run: number | null): readonly Run[] {
  const load = useCallback(() => (run === null ? Promise.resolve([]) : listRuns(job)), [job, run]);
  return useResource(load).data ?? NO_RUNS;
}
