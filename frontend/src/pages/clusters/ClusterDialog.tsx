import { useState } from "react";
import { changeCluster, createCluster } from "../../api/calls";
import type { Cluster } from "../../api/types";
import { PROTOCOLS } from "../../api/values";
import { listParts, makeConnection, write, type Protocol } from "./connection";
import { ConnectionParts } from "./ConnectionParts";
import { Line } from "./Line";
import { makeRegistry, writeRegistry } from "./registry";
import { RegistryPart } from "./RegistryPart";
import { TestedDialog } from "./TestedDialog";

interface Props {
  /** Null: a new cluster. */
  readonly cluster: Cluster | null;
  readonly onSave: () => Promise<void>;
  readonly close: () => void;
}

/** The connection of a Kafka cluster, and of its schema registry. */
export function ClusterDialog({ cluster, onSave, close }: Props) {
  const [form, setForm] = useState(() => write(cluster));
  const [registry, setRegistry] = useState(() => writeRegistry(cluster));
  const change = (part: Partial<typeof form>) => setForm((before) => ({ ...before, ...part }));
  const save = (isUntested: boolean) => {
    const connection = { ...makeConnection(form), registry: makeRegistry(registry), is_untested: isUntested };
    return cluster === null
      ? createCluster({ ...connection, name: form.name.trim() })
      : changeCluster(cluster.name, connection);
  };
  return (
    <TestedDialog
      title={cluster === null ? "Add a Kafka cluster" : `Change ${cluster.name}`}
      testing={registry.url === "" ? "Asking Kafka …" : "Asking Kafka and the registry …"}
      failures={["kafka.unreachable", "registry.unreachable"]}
      hasJobs={cluster !== null && cluster.jobs.length > 0}
      save={save}
      onSave={onSave}
      close={close}
    >
      {cluster === null && <Line label="Name" text={form.name} hint="orders" write={(name) => change({ name })} />}
      <Line
        label="Bootstrap servers"
        text={form.servers}
        hint="kafka1:9092,kafka2:9092"
        disabled={cluster?.is_local === true}
        write={(servers) => change({ servers })}
      />
      <label>
        <span>Security protocol</span>
        <select value={form.protocol} onChange={(event) => change({ protocol: event.target.value as Protocol })}>
          {PROTOCOLS.map((protocol) => (
            <option key={protocol}>{protocol}</option>
          ))}
        </select>
      </label>
      <ConnectionParts
        parts={listParts(form.protocol, form.texts["sasl.mechanism"])}
        form={form}
        change={change}
      />
      <Line
        label="Name prefix"
        text={form.prefix}
        hint="optional"
        help="Starts the names of groups, transactional ids and topics that jobs use on this cluster."
        write={(prefix) => change({ prefix })}
      />
      <RegistryPart
        form={registry}
        change={(part) => setRegistry((before) => ({ ...before, ...part }))}
      />
    </TestedDialog>
  );
}
