import { useState } from "react";
import { changeCluster, createCluster } from "../../api/calls";
import { refusalFrom, type Refusal } from "../../api/refusal";
import type { Cluster } from "../../api/types";
import "../../inspector/form/controls.css";
import { Button } from "../../parts/Button";
import { Dialog } from "../../parts/Dialog";
import { RefusalNotice } from "../../parts/Notice";
import { connectionOf, partsOf, PROTOCOLS, written, type Protocol } from "./connection";
import { ConnectionPart } from "./ConnectionPart";
import "./ClusterDialog.css";

interface Props {
  /** Null: a new one. */
  readonly cluster: Cluster | null;
  readonly saved: () => Promise<void>;
  readonly close: () => void;
}

const UNREACHABLE = "kafka.unreachable";

/** How a cluster is reached. It is saved once it answers, or when the user insists. */
export function ClusterDialog({ cluster, saved, close }: Props) {
  const [form, setForm] = useState(() => written(cluster));
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const change = (changed: Partial<typeof form>) => setForm((held) => ({ ...held, ...changed }));

  const save = async (untested: boolean) => {
    setBusy(true);
    setRefusal(null);
    const connection = { ...connectionOf(form), untested };
    try {
      await (cluster === null
        ? createCluster({ ...connection, name: form.name.trim() })
        : changeCluster(cluster.name, connection));
      await saved();
      close();
    } catch (error) {
      setRefusal(refusalFrom(error));
      setBusy(false);
    }
  };

  const action = (
    <Button look="primary" busy={busy} onClick={() => void save(false)}>
      {busy ? "Asking Kafka …" : "Test and save"}
    </Button>
  );
  const insist = (
    <Button busy={busy} onClick={() => void save(true)}>
      Save untested
    </Button>
  );
  return (
    <Dialog title={cluster === null ? "Add a cluster" : `Change ${cluster.name}`} close={close} action={action}>
      <div className="controls connection">
        {cluster === null && (
          <label>
            <span>Name</span>
            <input
              value={form.name}
              placeholder="orders"
              autoComplete="off"
              onChange={(event) => change({ name: event.target.value })}
            />
          </label>
        )}
        <label>
          <span>Bootstrap servers</span>
          <input
            value={form.servers}
            placeholder="kafka1:9092,kafka2:9092"
            autoComplete="off"
            spellCheck={false}
            disabled={cluster?.is_local}
            onChange={(event) => change({ servers: event.target.value })}
          />
        </label>
        <label>
          <span>Security protocol</span>
          <select value={form.protocol} onChange={(event) => change({ protocol: event.target.value as Protocol })}>
            {PROTOCOLS.map((protocol) => (
              <option key={protocol}>{protocol}</option>
            ))}
          </select>
        </label>
        {partsOf(form.protocol).map((part) => (
          <ConnectionPart
            key={part.setting}
            part={part}
            text={form.texts[part.setting]}
            isKept={form.kept.has(part.setting)}
            write={(text) => change({ texts: { ...form.texts, [part.setting]: text } })}
          />
        ))}
        <label title="Starts the names of groups, transactional ids and topics that jobs use on this cluster.">
          <span>Name prefix</span>
          <input
            value={form.prefix}
            placeholder="optional"
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => change({ prefix: event.target.value })}
          />
        </label>
      </div>
      {cluster !== null && cluster.jobs.length > 0 && (
        <p className="quiet">Its jobs use the change from their next start.</p>
      )}
      {refusal !== null && (
        <RefusalNotice refusal={refusal} action={refusal.code === UNREACHABLE ? insist : undefined} />
      )}
    </Dialog>
  );
}
