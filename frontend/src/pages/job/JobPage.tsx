import { useStore } from "zustand";
import { useTitle } from "../../ui/routing/useTitle";
import { useOperators } from "../../api/useOperators";
import { useVersionGraph } from "../../api/useGraph";
import { LiveGraph } from "./LiveGraph";
import { findStaleAge } from "../../live/numbers";
import { chooseNumbers } from "../../live/rates";
import { LiveContext, useLiveStore } from "../../live/LiveContext";
import type { LiveJob } from "../../live/useLiveJob";
import { useTimed } from "../../live/useNow";
import { Panel } from "../../ui/display/Panel";
import { Missing } from "../../ui/messages/Missing";
import { nameJob } from "../home/cards";
import { ActivityPanel } from "./runs/ActivityPanel";
import { DiskPanel, MemoryPanel } from "./numbers/UsagePanels";
import { CutOverPanel } from "./CutOverPanel";
import { FiringPanel } from "./FiringPanel";
import { JobNotices } from "./JobNotices";
import { JobTitle } from "./JobTitle";
import { MetricsPanel } from "./numbers/MetricsPanel";
import { NodesTable } from "./numbers/NodesTable";
import { RunsPanel } from "./runs/RunsPanel";
import { SettingsPanel } from "./SettingsPanel";
import { SourcesPanel } from "./numbers/SourcesPanel";
import { Skeleton } from "../../ui/display/Skeleton";
import { Tiles } from "./numbers/Tiles";
import { useJob, type JobFacts } from "./useJob";
import { makeJobStatusKey } from "./jobStatus";
import "./Job.css";

/** One job: its state, its numbers, its events. */
export function JobPage({ id }: { readonly id: number }) {
  const store = useLiveStore(id);
  const live = useStore(store);
  const { data, refusal, reload } = useJob(id, makeJobStatusKey(live.state?.jobStatus ?? null));

  if (data === null && refusal !== null) return <Missing title={`Job ${id}`} refusal={refusal} />;
  if (data === null) return <Skeleton rows={8} />;
  return (
    <LiveContext value={store}>
      <LoadedJob facts={data} live={live} onChange={() => void reload()} />
    </LiveContext>
  );
}

interface LoadedProps {
  readonly facts: JobFacts;
  readonly live: LiveJob;
  readonly onChange: () => void;
}

function LoadedJob({ facts, live, onChange }: LoadedProps) {
  const { job, topology, versions, runs, events } = facts;
  const operators = useOperators();
  const jobStatus = live.state?.jobStatus;
  const graph = useVersionGraph(jobStatus?.running_version ?? job.version);
  const numbers = chooseNumbers(live.state);
  const stale = useTimed((now) => findStaleAge(live.state, now));
  const title = nameJob(job, topology);
  useTitle(title);

  return (
    <div className="page job">
      <JobTitle title={title} job={job} topology={topology} live={live} onChange={onChange} />
      <JobNotices live={live} stale={stale} />
      <FiringPanel job={job.id} />
      <div className={stale === null ? undefined : "stale"}>
        <Tiles job={job.id} live={live} />
      </div>
      <Panel title="Topology" aside="records per second">
        {graph !== null && <LiveGraph graph={graph} operators={operators} numbers={numbers?.nodes ?? {}} />}
      </Panel>
      <MetricsPanel job={job.id} nodes={graph?.nodes ?? []} />
      <div className="halves">
        <div className="column">
          <Panel title="Nodes" aside="counted since the run began">
            {graph !== null && <NodesTable job={job.id} nodes={graph.nodes} numbers={numbers?.nodes ?? {}} />}
          </Panel>
          <RunsPanel runs={runs} versions={versions} />
        </div>
        <div className="column">
          <SourcesPanel numbers={numbers} />
          <MemoryPanel live={live} />
          <CutOverPanel job={job} onChange={onChange} />
          <ActivityPanel events={events} versions={versions} />
          <SettingsPanel job={job} />
          <DiskPanel job={job} />
        </div>
      </div>
    </div>
  );
}
