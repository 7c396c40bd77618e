import { useState } from "react";
import { killRun } from "../api/feed";
import type { Job } from "../api/types";
import { useLive } from "../live/LiveContext";
import { Button } from "../parts/Button";
import { Confirm } from "../parts/Confirm";

/** Kills the run's processes as a crash would, after asking. */
export function KillButton({ job }: { readonly job: Job }) {
  const [asking, setAsking] = useState(false);
  const standing = useLive(({ state }) => state?.standing ?? null);
  const runs = standing?.status === "running" || standing?.status === "restoring";
  return (
    <>
      <Button look="danger" disabled={!runs} onClick={() => setAsking(true)}>
        Kill this run
      </Button>
      {asking && (
        <Confirm
          title={`Kill run ${standing?.generation ?? ""} of ${job.name}?`}
          verb="Kill"
          look="danger"
          act={() => killRun(job.id)}
          close={() => setAsking(false)}
        >
          <p>
            Its processes end at once, in the middle of whatever they do. The job comes back by itself and goes on
            behind the last batch that was committed: nothing is lost, and nothing is written twice.
          </p>
        </Confirm>
      )}
    </>
  );
}
