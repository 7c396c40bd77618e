import type { NewTopic } from "../../api/types";

type Cleanup = NonNullable<NewTopic["cleanup"]>;

/** The choices for a new topic, as typed. */
export interface TopicChoice {
  readonly partitions: string;
  readonly cleanup: Cleanup;
  /** Empty: the cluster's default. */
  readonly replication: string;
}

interface Props {
  readonly choice: TopicChoice;
  readonly choose: (choice: TopicChoice) => void;
}

export const deleting: TopicChoice = { partitions: "4", cleanup: "delete", replication: "" };
export const compacting: TopicChoice = { ...deleting, cleanup: "compact" };

/** A new topic of this name, for the API. */
export function makeTopic(name: string, { partitions, cleanup, replication }: TopicChoice): NewTopic {
  const factor = replication === "" ? null : Number(replication);
  return { name, partitions: Number(partitions), cleanup, replication: factor };
}

/** Partitions, clean-up and replication of a new topic. */
export function TopicFields({ choice, choose }: Props) {
  return (
    <>
      <label>
        <span>Partitions (more can be added later, never fewer)</span>
        <input
          type="number"
          min={1}
          value={choice.partitions}
          onChange={({ target }) => choose({ ...choice, partitions: target.value })}
        />
      </label>
      <label>
        <span>Old records are</span>
        <select
          value={choice.cleanup}
          onChange={({ target }) => choose({ ...choice, cleanup: target.value as Cleanup })}
        >
          <option value="delete">deleted (delete)</option>
          <option value="compact">compacted to the newest per key (compact)</option>
        </select>
      </label>
      <label>
        <span>Replication factor</span>
        <input
          type="number"
          min={1}
          placeholder="cluster default"
          value={choice.replication}
          onChange={({ target }) => choose({ ...choice, replication: target.value })}
        />
      </label>
    </>
  );
}
