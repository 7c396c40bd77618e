import { useCallback, useState } from "react";
import { listRedrives } from "../../api/calls";
import type { Job, ShownDeadLetter } from "../../api/types";
import { usePolling } from "../../api/usePolling";
import { useReloadOn } from "../../api/useReloadOn";
import { useResource } from "../../api/useResource";
import { Panel } from "../../ui/display/Panel";
import { Skeleton } from "../../ui/display/Skeleton";
import { RefusalNotice } from "../../ui/messages/Notice";
import { formatAmount } from "../../ui/text/format";
import { countMarkedWaiting, formatPlace } from "./deadLetters";
import { EditDialog } from "./EditDialog";
import { FilterBar } from "./FilterBar";
import { GroupsTable } from "./GroupsTable";
import { LettersPanel } from "./LettersPanel";
import { RedriveDialog } from "./RedriveDialog";
import { RedriveNotice } from "./RedriveNotice";
import { useFoundLetters } from "./useFoundLetters";

const LOOK_MS = 1_500;

/** Groups, letters, and the actions for chosen ones. */
export function DeadLettersOfJob({ job }: { readonly job: Job }) {
  const found = useFoundLetters(job.id);
  const { filter, changeFilter, marks, mark, data, isUpToDate, refusal, reload } = found;
  const [asking, setAsking] = useState<"redrive" | ShownDeadLetter | null>(null);
  const redrives = useResource(useCallback(() => listRedrives(job.id), [job.id]));
  const newest = redrives.data?.[0];
  const isRunning = newest?.status === "running";
  usePolling(redrives.reload, LOOK_MS);
  useReloadOn(isRunning, reload);
  const began = async () => {
    mark(new Set());
    await redrives.reload();
  };
  const groups = data?.groups ?? [];
  const chosenGroups = groups.filter(({ id }) => filter.group === null || id === filter.group);
  const waiting = marks.size > 0 ? countMarkedWaiting(marks, data?.letters ?? []) : (data?.waiting ?? 0);
  const leftOut = data?.groups_left_out ?? 0;
  return (
    <>
      {refusal !== null && <RefusalNotice refusal={refusal} />}
      {newest !== undefined && <RedriveNotice job={job} redrive={newest} onChange={redrives.reload} />}
      <FilterBar found={found} />
      {data === null && refusal === null && <Skeleton />}
      {data !== null && groups.length > 0 && (
        <Panel
          title="Groups"
          aside={leftOut > 0 ? `${formatAmount(leftOut, "smaller group")} not shown` : undefined}
        >
          <GroupsTable answer={data} current={filter.group} choose={(group) => changeFilter({ group })} />
        </Panel>
      )}
      {data !== null && data.read.letters > 0 && (
        <LettersPanel
          job={job}
          data={data}
          found={found}
          isRunning={isRunning}
          // until the answer is that of the filter, its number is not that of what a redrive would send
          canRedrive={!isRunning && waiting > 0 && isUpToDate}
          redrive={() => setAsking("redrive")}
          edit={setAsking}
        />
      )}
      {asking === "redrive" && (
        <RedriveDialog
          job={job}
          amount={waiting}
          groups={chosenGroups}
          choose={found.choose}
          began={began}
          close={() => setAsking(null)}
        />
      )}
      {asking !== null && asking !== "redrive" && (
        <EditDialog
          key={formatPlace(asking)}
          job={job.id}
          letter={asking}
          began={began}
          close={() => setAsking(null)}
        />
      )}
    </>
  );
}
