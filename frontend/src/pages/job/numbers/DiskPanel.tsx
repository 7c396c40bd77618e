import { useCallback } from "react";
import { measureDisk } from "../../../api/calls";
import type { Job } from "../../../api/types";
import { useResource } from "../../../api/useResource";
import { Panel } from "../../../ui/display/Panel";
import { listFolders } from "./disk";
import "./DiskPanel.css";

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
