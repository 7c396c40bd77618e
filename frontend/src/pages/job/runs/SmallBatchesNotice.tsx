import type { JobStatus } from "../../../live/state";
import { Notice } from "../../../ui/messages/Notice";

/** Batches were too large for a run before, so this one reads smaller ones until a user deploys or restarts the job. */
export function SmallBatchesNotice({ jobStatus }: { readonly jobStatus: JobStatus }) {
  if (jobStatus.batch_divisor === 1 || jobStatus.status === "stopped") return null;
  return (
    <Notice tone="warn" title={`Each batch reads at most 1/${jobStatus.batch_divisor} of what the settings allow.`}>
      <p>
        An earlier run had no memory left, or two runs died in the same batch or were too slow to write it. Results stay
        the same, but a backlog takes longer. Lower <b>Records per batch</b> or <b>Batch size</b>, or give the job more
        memory, and deploy it. A restart tries full batches again.
      </p>
    </Notice>
  );
}
