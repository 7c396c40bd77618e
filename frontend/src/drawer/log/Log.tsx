import { useCallback, useState } from "react";
import { listRuns } from "../../api/calls";
import { makeLogPath } from "../../api/feed";
import { useResource } from "../../api/useResource";
import { useLive } from "../../live/LiveContext";
import { formatMoment } from "../../ui/text/format";
import { useDeployment } from "../../editor/interface/useDeployment";
import { LogPane } from "./LogPane";

/** The log of the job's newest run, or of an earlier one. */
export function Log() {
  const { job } = useDeployment();
  const newest = useLive(({ state }) => state?.jobStatus.generation ?? null) ?? (job?.generation || null);
  if (job === null) return <p className="nothing">No job runs this topology yet. Deploy it to see its log here.</p>;
  if (newest === null) return <p className="nothing">No run has started yet. Its log appears here.</p>;
  return <RunLog key={newest} job={job.id} newest={newest} />;
}

/** Follows a new run at once, whichever was shown before. */
function RunLog({ job, newest }: { readonly job: number; readonly newest: number }) {
  const [run, setRun] = useState(newest);
  const load = useCallback(() => listRuns(job), [job]);
  const runs = useResource(load).data ?? [];
  const isKnown = runs.some(({ generation }) => generation === newest);
  const path = makeLogPath(job, run);
  return (
    <LogPane key={path} path={path} label={`Log of run ${run}`}>
      <label className="choice">
        Run
        <select value={run} onChange={(event) => setRun(Number(event.target.value))}>
          {!isKnown && <option value={newest}>{newest}</option>}
          {runs.map(({ generation, status, created_at }) => (
            <option key={generation} value={generation}>
              {generation} – {status}, {formatMoment(Date.parse(created_at))}
            </option>
          ))}
        </select>
      </label>
    </LogPane>
  );
}
