import type { Job } from "../../api/types";
import { formatAmount, formatCount } from "../../ui/text/format";
import type { Books } from "./accounting";
import { readsAll } from "./starting";
import { useBooks } from "./useBooks";

interface Props {
  readonly job: Job;
  readonly topic: string;
  readonly node: string;
}

/** Shows in numbers that nothing was lost. Claims nothing while the numbers do not add up. */
export function Accounting({ job, topic, node }: Props) {
  const books = useBooks(job, topic, node);
  if (books === null) return <p className="books quiet">counting …</p>;
  const { total, readCount, waiting, continues, run } = books;
  const word = readsAll(job) ? "read" : "read or passed over";
  return (
    <div className="books">
      <p className="number">
        <b>Nothing lost:</b> {formatCount(total)} in the topic = {formatCount(readCount)} {word} +{" "}
        {formatCount(waiting)} waiting
      </p>
      <p className="number quiet">
        Since {books.since === "run" ? `run ${run} started` : `you opened run ${run}`}:{" "}
        {describeCounts(books, job, node)}
      </p>
      {continues !== null && (
        <p className="number quiet">
          Run {run} continued at the exact record where run {continues} stopped.
        </p>
      )}
    </div>
  );
}

function describeCounts({ counts }: Books, job: Job, node: string): string {
  const { readCount, outCount, dropCount, errorCount } = counts;
  const parts = [`${formatCount(outCount)} passed on`];
  if (dropCount > 0) parts.push(`${formatCount(dropCount)} dropped`);
  if (errorCount > 0) parts.push(describeFailures(errorCount, job));
  return `${formatCount(readCount)} read by ${node} = ${parts.join(" + ")}`;
}

function describeFailures(amount: number, { settings }: Job): string {
  const areLetters = settings.deserialization === "dead_letter";
  return areLetters ? formatAmount(amount, "dead letter") : `${formatCount(amount)} failed`;
}
