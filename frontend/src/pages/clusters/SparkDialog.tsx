import { useState, type HTMLInputTypeAttribute } from "react";
import { changeSparkCluster, createSparkCluster } from "../../api/calls";
import { refusalFrom, type Refusal } from "../../api/refusal";
import type { SparkCluster } from "../../api/types";
import "../../inspector/form/controls.css";
import { Button } from "../../parts/Button";
import { Dialog } from "../../parts/Dialog";
import { RefusalNotice } from "../../parts/Notice";
import { formOf, wantedOf, type SparkForm } from "./spark";
import "./ClusterDialog.css";

interface Props {
  /** Null: a new one. */
  readonly cluster: SparkCluster | null;
  readonly saved: () => Promise<void>;
  readonly close: () => void;
}

const UNFIT = "spark.unfit";

/** How a Spark cluster is reached. It is saved once a test job ends well, or when the user insists. */
export function SparkDialog({ cluster, saved, close }: Props) {
  const [form, setForm] = useState(() => formOf(cluster));
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const change = (changed: Partial<SparkForm>) => setForm((held) => ({ ...held, ...changed }));

  const save = async (untested: boolean) => {
    setBusy(true);
    setRefusal(null);
    const wanted = { ...wantedOf(form), untested };
    try {
      await (cluster === null
        ? createSparkCluster({ ...wanted, name: form.name.trim() })
        : changeSparkCluster(cluster.name, wanted));
      await saved();
      close();
    } catch (error) {
      setRefusal(refusalFrom(error));
      setBusy(false);
    }
  };

  const action = (
    <Button look="primary" busy={busy} onClick={() => void save(false)}>
      {busy ? "Running a test job …" : "Test and save"}
    </Button>
  );
  const insist = (
    <Button busy={busy} onClick={() => void save(true)}>
      Save untested
    </Button>
  );
  const isDefault = cluster?.is_default === true;
  const title = cluster === null ? "Add a Spark cluster" : `Change ${cluster.name}`;
  return (
    <Dialog title={title} close={close} action={action}>
      <div className="controls connection">
        {cluster === null && (
          <Line label="Name" text={form.name} hint="blue" write={(name) => change({ name })} />
        )}
        <Line
          label="Master"
          text={form.master}
          hint="spark://host:7077"
          help="Of a standalone cluster, such as spark://host:7077, or of Kubernetes: k8s://https://host:443."
          disabled={isDefault}
          write={(master) => change({ master })}
        />
        <Line
          label="Checkpoint folder"
          text={form.root}
          hint="hdfs://namenode:9000/streamwright"
          help="All hosts must see it. Empty: the home folder's, if the hosts share it."
          disabled={isDefault}
          write={(root) => change({ root })}
        />
        <Line
          label="Cores per executor"
          type="number"
          text={form.cores}
          write={(cores) => change({ cores })}
        />
        <Line
          label="Memory per executor, MiB"
          type="number"
          text={form.memory}
          write={(memory) => change({ memory })}
        />
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
          help="spark.authenticate.secret, with which Spark encrypts its connections. On Kubernetes: a Secret there."
          write={(secret) => change({ secret })}
        />
        <label title="One setting per line, such as spark.hadoop.fs.s3a.endpoint=https://storage">
          <span>Settings</span>
          <textarea
            rows={3}
            value={form.settings}
            placeholder="optional: name=value, one per line"
            spellCheck={false}
            onChange={(event) => change({ settings: event.target.value })}
          />
        </label>
      </div>
      <p className="quiet">
        The test job runs on every executor. It imports our packages, asks Kafka, and uses the checkpoint folder.
      </p>
      {cluster !== null && cluster.jobs.length > 0 && (
        <p className="quiet">Its jobs use the change from their next start.</p>
      )}
      {refusal !== null && <RefusalNotice refusal={refusal} action={refusal.code === UNFIT ? insist : undefined} />}
    </Dialog>
  );
}

interface LineProps {
  readonly label: string;
  readonly text: string;
  readonly write: (text: string) => void;
  readonly hint?: string;
  readonly help?: string;
  readonly type?: HTMLInputTypeAttribute;
  readonly disabled?: boolean;
}

function Line({ label, text, write, hint, help, type = "text", disabled }: LineProps) {
  return (
    <label title={help}>
      <span>{label}</span>
      <input
        type={type}
        value={text}
        placeholder={hint}
        disabled={disabled}
        min={type === "number" ? 1 : undefined}
        autoComplete={type === "password" ? "new-password" : "off"}
        spellCheck={false}
        onChange={(event) => write(event.target.value)}
      />
    </label>
  );
}
