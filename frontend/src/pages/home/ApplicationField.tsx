import { useState } from "react";
import { describeApplication, listClusters } from "../../api/calls";
import { toRefusal, type Refusal } from "../../api/refusal";
import { useResource } from "../../api/useResource";
import { Button } from "../../ui/controls/Button";
import { RefusalNotice } from "../../ui/messages/Notice";
import "../../ui/controls/controls.css";
import "./ApplicationField.css";

interface Props {
  readonly take: (description: string, application: string) => void;
}

/** Fetches the topology of a Kafka Streams application from the brokers, by its application id. */
export function ApplicationField({ take }: Props) {
  const [application, setApplication] = useState("");
  const [chosen, setChosen] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const names = (useResource(listClusters).data?.clusters ?? []).map(({ name }) => name);
  const cluster = chosen ?? names[0];

  const fetch = async (from: string) => {
    const name = application.trim();
    setBusy(true);
    setRefusal(null);
    try {
      take((await describeApplication(from, name)).description, name);
    } catch (error) {
      setRefusal(toRefusal(error));
    }
    setBusy(false);
  };
  return (
    <form
      className="controls application-field"
      onSubmit={(event) => {
        event.preventDefault();
        if (cluster !== undefined) void fetch(cluster);
      }}
    >
      <label>
        <span>Application id</span>
        <input
          value={application}
          placeholder="of one that uses the streams protocol"
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => setApplication(event.target.value)}
        />
      </label>
      {names.length > 1 && (
        <label>
          <span>Cluster</span>
          <select value={cluster} onChange={(event) => setChosen(event.target.value)}>
            {names.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
      )}
      <Button type="submit" isBusy={isBusy} disabled={application.trim() === "" || cluster === undefined}>
        Fetch its topology
      </Button>
      {refusal !== null && <RefusalNotice refusal={refusal} />}
    </form>
  );
}
