import { useState } from "react";
import { createTopic } from "../../api/calls";
import { Confirm } from "../../ui/messages/Confirm";
import { deleting, makeTopic, TopicFields } from "../../ui/controls/TopicFields";
import "../../ui/controls/FormRows.css";

interface Props {
  readonly cluster: string;
  readonly onCreate: (topic: string) => void;
  readonly close: () => void;
}

/** Creates a topic. */
export function NewTopicDialog({ cluster, onCreate, close }: Props) {
  const [name, setName] = useState("");
  const [choice, choose] = useState(deleting);
  const create = async () => {
    await createTopic(cluster, makeTopic(name.trim(), choice));
    onCreate(name.trim());
  };
  return (
    <Confirm title={`New topic on ${cluster}`} verb="Create" act={create} close={close}>
      <div className="controls form-rows">
        <label>
          <span>Name</span>
          <input value={name} onChange={({ target }) => setName(target.value)} />
        </label>
        <TopicFields choice={choice} choose={choose} />
      </div>
    </Confirm>
  );
}
