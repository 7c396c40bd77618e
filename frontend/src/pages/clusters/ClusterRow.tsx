import { useState } from "react";
import { checkCluster } from "../../api/calls";
import { refusalFrom } from "../../api/refusal";
import type { Cluster } from "../../api/types";
import { counted } from "../../numbers/format";
import { Button } from "../../parts/Button";
import { Prose } from "../../parts/Prose";
import { securityOf } from "./connection";

interface Props {
  readonly cluster: Cluster;
  readonly mayChange: boolean;
  readonly change: () => void;
  readonly forget: () => void;
}

interface Answer {
  readonly good: boolean;
  readonly text: string;
}

/** A cluster, whether it answers, and what can be done with it. */
export function ClusterRow({ cluster, mayChange, change, forget }: Props) {
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [busy, setBusy] = useState(false);
  const test = async () => {
    setBusy(true);
    setAnswer(await asked(cluster.name));
    setBusy(false);
  };
  return (
    <tr>
      <th scope="row">{cluster.name}</th>
      <td className="servers">
        <code>{cluster.bootstrap_servers}</code>
        {cluster.is_local && <small className="quiet">set by KAFKA_BOOTSTRAP_SERVERS</small>}
        {answer !== null && (
          <small className={answer.good ? "good" : "bad"} role="status">
            <Prose text={answer.text} />
          </small>
        )}
      </td>
      {mayChange && <td>{securityOf(cluster)}</td>}
      <td className="figure">{cluster.jobs.length}</td>
      <td className="actions">
        <Button busy={busy} onClick={() => void test()}>
          Test
        </Button>
        {mayChange && <Button onClick={change}>Change</Button>}
        {mayChange && !cluster.is_local && (
          <Button disabled={cluster.jobs.length > 0} title={whyKept(cluster)} onClick={forget}>
            Remove
          </Button>
        )}
      </td>
    </tr>
  );
}

async function asked(name: string): Promise<Answer> {
  try {
    const { addresses } = await checkCluster(name);
    return { good: true, text: `Answers: ${counted(addresses.length, "broker")}, ${addresses.join(", ")}` };
  } catch (error) {
    const { message, hint } = refusalFrom(error);
    return { good: false, text: `${message} ${hint}` };
  }
}

function whyKept({ jobs }: Cluster): string | undefined {
  return jobs.length === 0 ? undefined : `Used by jobs: ${jobs.join(", ")}`;
}
