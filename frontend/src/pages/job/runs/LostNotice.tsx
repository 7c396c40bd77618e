import type { JobStatus } from "../../../live/state";
import { Ago } from "../../../ui/display/Ago";
import { Notice } from "../../../ui/messages/Notice";
import { Prose } from "../../../ui/messages/Prose";
import { listRecentLosses } from "./runs";

interface Props {
  readonly jobStatus: JobStatus;
  readonly now: number;
}

/** The executors that the run lost in the last minutes, and the cost of each. */
export function LostNotice({ jobStatus, now }: Props) {
  return listRecentLosses(jobStatus, now).map((loss) => (
    <Notice key={loss.executor} tone="warn" title={loss.title}>
      <p>
        <Prose text={loss.text} />{" "}
        <span className="quiet">
          <Ago at={loss.at} />
        </span>
      </p>
    </Notice>
  ));
}
