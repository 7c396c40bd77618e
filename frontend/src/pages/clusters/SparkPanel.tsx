import { useState } from "react";
import { deleteSparkCluster, listSparkClusters } from "../../api/calls";
import type { SparkCluster } from "../../api/types";
import { useResource } from "../../api/useResource";
import { Button } from "../../ui/controls/Button";
import { Confirm } from "../../ui/messages/Confirm";
import { RefusalNotice } from "../../ui/messages/Notice";
import { TableHead } from "../../ui/display/TableHead";
import { SparkDialog } from "./SparkDialog";
import { SparkRow } from "./SparkRow";

type Asking = { readonly what: "add" } | { readonly what: "change" | "remove"; readonly cluster: SparkCluster };

/** The Spark clusters that jobs can run on, beside the hosts of Streamwright. */
export function SparkPanel({ mayChange }: { readonly mayChange: boolean }) {
  const { data, refusal, reload } = useResource(listSparkClusters);
  const [asking, setAsking] = useState<Asking | null>(null);
  const close = () => setAsking(null);
  return (
    <>
      <div className="title">
        <h2>Spark clusters</h2>
        {mayChange && (
          <Button icon="add" onClick={() => setAsking({ what: "add" })}>
            Add a Spark cluster
          </Button>
        )}
      </div>
      {refusal !== null && <RefusalNotice refusal={refusal} />}
      {data?.clusters.length === 0 && (
        <p className="quiet">Jobs run on the hosts of Streamwright. Add a Spark cluster to run jobs on its workers.</p>
      )}
      {data !== null && data.clusters.length > 0 && (
        <div className="panel table-scroll">
          <table>
            <TableHead
              words={["Name", "Master and checkpoints", "Executors", "Jobs"]}
              figures={["Jobs"]}
              action="Actions"
            />
            <tbody>
              {data.clusters.map((cluster) => (
                <SparkRow
                  key={cluster.name}
                  cluster={cluster}
                  mayChange={mayChange}
                  change={() => setAsking({ what: "change", cluster })}
                  forget={() => setAsking({ what: "remove", cluster })}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {asking?.what === "remove" && (
        <Confirm
          title={`Remove ${asking.cluster.name}?`}
          verb="Remove"
          look="danger"
          act={async () => {
            await deleteSparkCluster(asking.cluster.name);
            await reload();
          }}
          close={close}
        >
          <p>Streamwright forgets this Spark cluster. Nothing on the cluster changes, and you can add it again.</p>
        </Confirm>
      )}
      {asking !== null && asking.what !== "remove" && (
        <SparkDialog cluster={asking.what === "add" ? null : asking.cluster} onSave={reload} close={close} />
      )}
    </>
  );
}
