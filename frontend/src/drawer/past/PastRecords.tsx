import { useCallback, useState } from "react";
import { lookAtBatch } from "../../api/calls";
import type { KeptBatch } from "../../api/types";
import { useResource } from "../../api/useResource";
import { useStableValue } from "../../api/useStableValue";
import { useShownGraph } from "../../editor/comparing/useShownGraph";
import { makeEdgeKey } from "../../editor/document/document";
import { findPlace, usePast } from "../../editor/interface/past";
import { useDeployment } from "../../editor/interface/useDeployment";
import { useInterface } from "../../editor/interface/useEditor";
import { useSelectedNode } from "../../editor/interface/useSelectedNode";
import { RefusalNotice } from "../../ui/messages/Notice";
import { formatAmount, formatCount } from "../../ui/text/format";
import { TableHead } from "../../ui/display/TableHead";
import { FollowRecord } from "../records/FollowRecord";
import { Records } from "../records/Records";
import { WhyRecord } from "../records/WhyRecord";
import { ConditionSearch } from "./ConditionSearch";
import { MakeCaseOf } from "../records/MakeCaseOf";
import { TableRow } from "../tables/TableRow";

/** The server executes a batch again, which a moved slider must not ask of each on its way. */
const SETTLED_MS = 200;

/** The records of topics, or in the past those of the chosen batch. */
export function RecordsTab() {
  const { job } = useDeployment();
  const isPast = useInterface(({ view }) => view === "past");
  return isPast && job !== null ? <PastRecords job={job.id} /> : <Records />;
}

/** The records on the selected edge in the chosen batch, or those that left the selected node. */
function PastRecords({ job }: { readonly job: number }) {
  const batch = usePast((past) => past.batch);
  const { graph } = useShownGraph();
  const node = useSelectedNode();
  const edge = useInterface(({ selection }) => (selection.edges.size === 1 ? [...selection.edges][0] : undefined));
  const place = findPlace(graph.edges, node, graph.edges.find((each) => makeEdgeKey(each) === edge));
  if (batch === null) return <p className="nothing">Choose a batch first.</p>;
  if (place === null) return <p className="nothing">Select an edge or a node to see its records in this batch.</p>;
  const key = `${place.node} ${place.port}`;
  return (
    <>
      <ConditionSearch key={key} job={job} batch={batch.number} {...place} />
      <RecordsAt key={`at ${key}`} job={job} batch={batch} {...place} />
    </>
  );
}

interface Props {
  readonly job: number;
  readonly batch: KeptBatch;
  readonly node: string;
  readonly port: string;
}

function RecordsAt({ job, batch, node, port }: Props) {
  const [open, setOpen] = useState<number | null>(null);
  const number = useStableValue(batch.number, SETTLED_MS);
  const load = useCallback(() => lookAtBatch(job, number, { node, port }), [job, number, node, port]);
  const { data, refusal } = useResource(load);
  if (refusal !== null) return <RefusalNotice refusal={refusal} />;
  if (data === null) return <p className="nothing">Executing the batch again …</p>;
  const some = data.left_count > data.left.length ? `the newest ${formatCount(data.left.length)} of ` : "";
  return (
    <>
      <div className="controls">
        <span>
          Left <strong>{node}</strong> by {port} in batch {formatCount(data.number)}
        </span>
        <span className="remark number">{`${some}${formatAmount(data.left_count, "record")}`}</span>
      </div>
      <div className="record-list">
        {data.left.length === 0 && <p className="nothing">No record left here in this batch.</p>}
        {data.left.length > 0 && (
          <table className="records of-table" aria-label={`Records of ${node} in the batch`}>
            <TableHead words={["Key", "Value", "Time"]} />
            <tbody>
              {data.left.map((record, at) => (
                <TableRow
                  key={at}
                  row={{ ...record, window: null }}
                  actions={() =>
                    record.origin !== null && (
                      <div className="record-actions">
                        <FollowRecord target={{ record: record.origin }} />
                        <MakeCaseOf records={[record.origin]} batch={number} />
                        <WhyRecord
                          job={job}
                          place={{ record: record.origin, batch: number, node }}
                          value={record.value}
                        />
                      </div>
                    )
                  }
                  isOpen={open === at}
                  toggle={() => setOpen(open === at ? null : at)}
                />
              ))}
            </tbody>
          </table>
        )}
      </div>
    </>
  );
}
