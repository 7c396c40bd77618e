import type { JobStatus } from "../../../live/state";
import { formatAge } from "../../../ui/text/format";
import { Notice } from "../../../ui/messages/Notice";
import { Prose } from "../../../ui/messages/Prose";
import { measureWait } from "./runs";

interface Props {
  readonly jobStatus: JobStatus;
  readonly now: number;
}

/** The last run failed and the next one waits or starts. Shows why until it has committed a batch. */
export function RetryNotice({ jobStatus, now }: Props) {
  const cause = jobStatus.last_failure;
  if (cause === null) return null;
  const waits = measureWait(jobStatus, now);
  const next =
    waits === null ? "The current run has not committed a batch yet." : `The next starts in ${formatAge(waits)}.`;
  return (
    <Notice tone="warn" title={`The last run failed. ${next}`}>
      <p>
        <Prose text={`${cause.message} ${cause.hint}`} />
      </p>
    </Notice>
  );
}
