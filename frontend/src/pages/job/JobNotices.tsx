import type { Cause } from "../../live/state";
import type { LiveJob } from "../../live/useLiveJob";
import { age } from "../../numbers/format";
import { Ago } from "../../parts/Ago";
import { Notice } from "../../parts/Notice";
import { problemOf } from "../problem";
import { CauseDetails } from "./CauseDetails";

interface Props {
  readonly live: LiveJob;
  /** Age of the numbers where they are too old, in ms. */
  readonly stale: number | null;
}

/** Whatever stands between the reader and a healthy job: a failure, old numbers, a lost connection. */
export function JobNotices({ live, stale }: Props) {
  const problem = live.state === null ? null : problemOf(live.state.standing);
  return (
    <>
      {problem !== null && <ProblemNotice problem={problem} live={live} />}
      {live.connection === "lost" && (
        <Notice tone="warn" title="The connection to the server is lost.">
          <p>Trying again. What is shown is how it was.</p>
        </Notice>
      )}
      {live.connection !== "lost" && stale !== null && (
        <Notice tone="warn" title={`These numbers are ${age(stale)} old.`}>
          <p>The run has sent none since. It may be inside a long step, or gone.</p>
        </Notice>
      )}
    </>
  );
}

function ProblemNotice({ problem, live }: { readonly problem: Cause; readonly live: LiveJob }) {
  const standing = live.state?.standing;
  const again = standing?.desired === "running" && !standing.blocked ? standing.start_after : null;
  return (
    <Notice tone="bad" title={problem.message}>
      <p>{problem.hint}</p>
      {again !== null && (
        <p>
          It is tried again by itself; the last try was <Ago at={again} />.
        </p>
      )}
      {standing?.blocked === true && <p>No further try is made. Press Restart once the cause is gone.</p>}
      <CauseDetails cause={problem} />
    </Notice>
  );
}
