import { useState } from "react";
import { killRun } from "../../api/feed";
import { useWhyNot } from "../../api/rights";
import type { Job } from "../../api/types";
import { useLive } from "../../live/LiveContext";
import { Button } from "../../ui/controls/Button";
import { Confirm } from "../../ui/messages/Confirm";

/** Asks, then kills the run's processes as a crash would. */
export function KillButton({ job }: { readonly job: Job }) {
  const [isAsking, setAsking] = useState(false);
  const why = useWhyNot("operator", job.project);
  const standing = useLive(({ state }) => state?.standing ?? null);
  const isRunning = standing?.status === "running" || standing?.status === "restoring";
  return (
    <>
      <Button look="danger" disabled={!isRunning} why={why} onClick={() => setAsking(true)}>
        Kill this run
      </Button>
      {isAsking && (
        <Confirm
          title={`Kill run ${standing?.generation ?? ""} of ${job.name}?`}
          verb="Kill"
          look="danger"
          act={() => killRun(job.id)}
          close={() => setAsking(false)}
        >
          <p>
            Its processes end at once, even in the middle of a batch. The job restarts by itself and continues after the
            last committed batch. Nothing is lost, and nothing is written twice.
          </p>
        </Confirm>
      )}
    </>
  );
}
