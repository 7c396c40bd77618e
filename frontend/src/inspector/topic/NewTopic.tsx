import { useState } from "react";
import { createTopic } from "../../api/calls";
import { toRefusal, type Refusal } from "../../api/refusal";
import type { Operator } from "../../api/types";
import { Button } from "../../ui/controls/Button";
import { Prose } from "../../ui/messages/Prose";
import { compacting, deleting, makeTopic, TopicFields } from "../../ui/controls/TopicFields";
import "./NewTopic.css";

interface Props {
  readonly name: string;
  readonly cluster: string;
  readonly operator: Operator;
  readonly onCreate: () => Promise<void>;
}

/** Creates the named topic that is missing. A table's topic keeps the newest row of each key. */
export function NewTopic({ name, cluster, operator, onCreate }: Props) {
  const [choice, choose] = useState(operator.has_topic_of_rows ? compacting : deleting);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [isBusy, setBusy] = useState(false);
  const create = async () => {
    setBusy(true);
    try {
      await createTopic(cluster, makeTopic(name, choice));
      await onCreate();
    } catch (error) {
      setRefusal(toRefusal(error));
    }
    setBusy(false);
  };
  return (
    <details className="new-topic">
      <summary>Create it now</summary>
      <TopicFields choice={choice} choose={choose} />
      <Button isBusy={isBusy} onClick={() => void create()}>
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
