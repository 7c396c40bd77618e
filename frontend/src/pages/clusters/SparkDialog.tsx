import { useState } from "react";
import { changeSparkCluster, createSparkCluster } from "../../api/calls";
import type { SparkCluster } from "../../api/types";
import { Line } from "./Line";
import { makeForm, makeSparkConnection, type SparkForm } from "./spark";
import { TestedDialog } from "./TestedDialog";

interface Props {
  /** Null: a new cluster. */
  readonly cluster: SparkCluster | null;
  readonly onSave: () => Promise<void>;
  readonly close: () => void;
}

/** The connection of a Spark cluster, and the resources of its executors. */
export function SparkDialog({ cluster, onSave, close }: Props) {
  const [form, setForm] = useState(() => makeForm(cluster));
  const change = (part: Partial<SparkForm>) => setForm((before) => ({ ...before, ...part }));
  const save = (isUntested: boolean) => {
    const connection = { ...makeSparkConnection(form), is_untested: isUntested };
    return cluster === null
      ? createSparkCluster({ ...connection, name: form.name.trim() })
      : changeSparkCluster(cluster.name, connection);
  };
  const isDefault = cluster?.is_default === true;
  return (
    <TestedDialog
      title={cluster === null ? "Add a Spark cluster" : `Change ${cluster.name}`}
      testing="Running a probe …"
      failures={["spark.unfit"]}
      hasJobs={cluster !== null && cluster.jobs.length > 0}
      save={save}
      onSave={onSave}
      close={close}
      note="The probe runs on every executor. It imports our packages, asks each Kafka, and uses the checkpoint folder."
    >
      {cluster === null && <Line label="Name" text={form.name} hint="blue" write={(name) => change({ name })} />}
      <Line
        label="Master"
        text={form.master}
        hint="spark://host:7077"
        help="spark://host:7077 for a standalone cluster, k8s://https://host:443 for Kubernetes."
        disabled={isDefault}
        write={(master) => change({ master })}
      />
      <Line
        label="Checkpoint folder"
        text={form.root}
        hint="hdfs://namenode:9000/streamwright"
        help="On HDFS, in a bucket such as s3a://bucket/folder, or the path of a folder that all hosts share. Empty: the folder of STREAMWRIGHT_CHECKPOINTS."
        disabled={isDefault}
        write={(root) => change({ root })}
      />
      <Line label="Cores per executor" type="number" text={form.cores} write={(cores) => change({ cores })} />
      <Line label="Memory per executor, MiB" type="number" text={form.memory} write={(memory) => change({ memory })} />
      <Line
        label="Python of its hosts"
        text={form.python}
        hint="that of Streamwright, by name"
        help="Name or path of a Python with the minor version that runs Streamwright."
        write={(python) => change({ python })}
      />
      <Line
        label="Secret"
        type="password"
        text={form.secret ?? ""}
        hint={cluster?.has_secret === true ? "saved; type to replace it" : "optional"}
        help="Spark encrypts its connections with this spark.authenticate.secret. On Kubernetes, use a Secret instead."
        write={(secret) => change({ secret })}
      />
      <label title="One setting per line, such as spark.network.timeout=300s">
        <span>Settings</span>
        <textarea
          rows={3}
          value={form.settings}
          placeholder="optional: name=value, one per line"
          spellCheck={false}
          onChange={(event) => change({ settings: event.target.value })}
        />
      </label>
    </TestedDialog>
  );
}
