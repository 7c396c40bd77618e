import { useState } from "react";
import { deleteCluster, listClusters } from "../../api/calls";
import type { Cluster } from "../../api/types";
import { usePolling } from "../../api/usePolling";
import { useResource } from "../../api/useResource";
import { useTitle } from "../../ui/routing/useTitle";
import { Button } from "../../ui/controls/Button";
import { Confirm } from "../../ui/messages/Confirm";
import { Notice, RefusalNotice } from "../../ui/messages/Notice";
import { Skeleton } from "../../ui/display/Skeleton";
import { TableHead } from "../../ui/display/TableHead";
import { ClusterDialog } from "./ClusterDialog";
import { ClusterRow } from "./ClusterRow";
import { SparkPanel } from "./SparkPanel";
import "./Clusters.css";

const LOOK_MS = 10_000;

type Asking = { readonly what: "add" } | { readonly what: "change" | "remove"; readonly cluster: Cluster };

/** The Kafka clusters that topologies read and write, and the Spark clusters that jobs run on. */
export function Clusters() {
  const { data, refusal, reload } = useResource(listClusters);
  const [asking, setAsking] = useState<Asking | null>(null);
  usePolling(reload, LOOK_MS);
  useTitle("Clusters");
  const close = () => setAsking(null);
  return (
    <div className="page clusters">
      <div className="title">
        <h1>Kafka clusters</h1>
        {data?.may_change === true && (
          <Button look="primary" icon="add" onClick={() => setAsking({ what: "add" })}>
            Add a Kafka cluster
          </Button>
        )}
      </div>
      {refusal !== null && <RefusalNotice refusal={refusal} />}
      {data === null && refusal === null && <Skeleton />}
      {data?.may_change === false && (
        <Notice tone="info" title="You can use these clusters, but not change them.">
          <p>{data.why}</p>
        </Notice>
      )}
      {data !== null && (
        <div className="panel table-scroll">
          <table>
            <TableHead
              words={["Name", "Bootstrap servers", ...(data.may_change ? ["Security"] : []), "Jobs"]}
              figures={["Jobs"]}
              action="Actions"
            />
            <tbody>
              {data.clusters.map((cluster) => (
                <ClusterRow
                  key={cluster.name}
                  cluster={cluster}
                  mayChange={data.may_change}
                  change={() => setAsking({ what: "change", cluster })}
                  forget={() => setAsking({ what: "remove", cluster })}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {data !== null && <SparkPanel mayChange={data.may_change} />}
      {asking?.what === "remove" && (
        <Confirm
          title={`Remove ${asking.cluster.name}?`}
          verb="Remove"
          look="danger"
          act={async () => {
            await deleteCluster(asking.cluster.name);
            await reload();
          }}
          close={close}
        >
          <p>Streamwright deletes this connection. Nothing on the cluster changes, and you can add it again.</p>
        </Confirm>
      )}
      {asking !== null && asking.what !== "remove" && (
        <ClusterDialog cluster={asking.what === "add" ? null : asking.cluster} onSave={reload} close={close} />
      )}
    </div>
  );
}
