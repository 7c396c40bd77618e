import type { LiveJob } from "../../../live/useLiveJob";
import { formatBytes } from "../../../ui/text/format";
import { Panel } from "../../../ui/display/Panel";
import { splitMemoryByHost, listFolders } from "./usage";
import { useCallback } from "react";
import { measureDisk } from "../../../api/calls";
import type { Job } from "../../../api/types";
import { useResource } from "../../../api/useResource";
import "./UsagePanels.css";

/** A run's memory on each host of a Spark cluster. Empty for a run on a single host. */
export function MemoryPanel({ live }: { readonly live: LiveJob }) {
  const hosts = splitMemoryByHost(live.state);
  if (hosts.length < 2) return null;
  return (
    <Panel title="Memory by host">
      <dl className="memory">
        {hosts.map(({ host, role, bytes: size }) => (
          <div key={`${role} ${host}`}>
            <dt>
              <span className="mono">{host}</span> <span className="quiet">{role}</span>
            </dt>
            <dd className="number">{formatBytes(size)}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}

interface Props {
  readonly job: Job;
}

/** The folders of the job's checkpoint and state, and their size when its run began or this page opened. */
export function DiskPanel({ job: { id, run, spark } }: Props) {
  const ask = useCallback(
    () => measureDisk(id),
    // eslint-disable-next-line react-hooks/exhaustive-deps -- another run may have folders of another epoch
    [id, run],
  );
  const { data } = useResource(ask);
  const lines = data === null ? [] : listFolders(data, spark !== "");
  if (lines.length === 0) return null;
  return (
    <Panel title="On disk" aside="as this page opened">
      <dl className="disk">
        {lines.map(({ title, path, size }) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd className="number">{size}</dd>
            <dd>
              <code>{path}</code>
            </dd>
          </div>
        ))}
      </dl>
      <p className="nothing">
        The job deletes folders of older epochs after a later epoch commits a batch. Deleting the job deletes them all.
      </p>
    </Panel>
  );
}
