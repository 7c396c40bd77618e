import { useState } from "react";
import { createTopic } from "../../api/calls";
import type { NewTopic } from "../../api/types";
import { Confirm } from "../../parts/Confirm";
import "../../parts/FormRows.css";

interface Props {
  readonly cluster: string;
  readonly made: (topic: string) => void;
  readonly close: () => void;
}

/** Makes a topic. */
export function NewTopicDialog({ cluster, made, close }: Props) {
  const [name, setName] = useState("");
  const [partitions, setPartitions] = useState("4");
  const [cleanup, setCleanup] = useState<NewTopic["cleanup"]>("delete");
  const [replication, setReplication] = useState("");
  const create = async () => {
    const copies = replication === "" ? null : Number(replication);
    await createTopic(cluster, { name: name.trim(), partitions: Number(partitions), cleanup, replication: copies });
    made(name.trim());
  };
  return (
    <Confirm title={`New topic on ${cluster}`} verb="Create" act={create} close={close}>
      <div className="controls form-rows">
        <label>
          <span>Name</span>
          <input value={name} onChange={({ target }) => setName(target.value)} />
        </label>
        <label>
          <span>Partitions (more can be added later, never fewer)</span>
          <input type="number" min={1} value={partitions} onChange={({ target }) => setPartitions(target.value)} />
        </label>
        <label>
          <span>Old records are</span>
          <select value={cleanup} onChange={({ target }) => setCleanup(target.value as NewTopic["cleanup"])}>
            <option value="delete">deleted (delete)</option>
            <option value="compact">compacted to the newest per key (compact)</option>
          </select>
        </label>
        <label>
          <span>Replicas</span>
          <input
            type="number"
            min={1}
            placeholder="cluster default"
            value={replication}
            onChange={({ target }) => setReplication(target.value)}
          />
        </label>
      </div>
    </Confirm>
  );
}
