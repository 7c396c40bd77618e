import { useState } from "react";
import { createTopic } from "../../api/calls";
import { refusalFrom, type Refusal } from "../../api/refusal";
import type { NewTopic as Wanted, Operator } from "../../api/types";
import { Button } from "../../parts/Button";
import { Prose } from "../../parts/Prose";
import "./NewTopic.css";

interface Props {
  readonly name: string;
  readonly cluster: string;
  readonly operator: Operator;
  readonly made: () => Promise<void>;
}

const PARTITIONS = 4;

/** Makes the topic that is named but not there; one of a table keeps the newest row of each key. */
export function NewTopic({ name, cluster, operator, made }: Props) {
  const [partitions, setPartitions] = useState(String(PARTITIONS));
  const [cleanup, setCleanup] = useState<Wanted["cleanup"]>(operator.topic_of_rows ? "compact" : "delete");
  const [replication, setReplication] = useState("");
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [busy, setBusy] = useState(false);
  const create = async () => {
    setBusy(true);
    try {
      const copies = replication === "" ? null : Number(replication);
      await createTopic(cluster, { name, partitions: Number(partitions), cleanup, replication: copies });
      await made();
    } catch (error) {
      setRefusal(refusalFrom(error));
    }
    setBusy(false);
  };
  return (
    <details className="new-topic">
      <summary>Create it now</summary>
      <label>
        <span>Partitions</span>
        <input type="number" min={1} value={partitions} onChange={(event) => setPartitions(event.target.value)} />
      </label>
      <label>
        <span>Clean-up</span>
        <select value={cleanup} onChange={(event) => setCleanup(event.target.value as Wanted["cleanup"])}>
          <option value="delete">deleted (delete)</option>
          <option value="compact">newest per key (compact)</option>
        </select>
      </label>
      <label>
        <span>Replication</span>
        <input
          type="number"
          min={1}
          placeholder="cluster default"
          value={replication}
          onChange={(event) => setReplication(event.target.value)}
        />
      </label>
      <Button disabled={busy} onClick={() => void create()}>
        Create topic
      </Button>
      {refusal !== null && (
        <p className="absent missing" role="alert">
          <Prose text={`${refusal.message} ${refusal.hint}`} />
        </p>
      )}
    </details>
  );
}
