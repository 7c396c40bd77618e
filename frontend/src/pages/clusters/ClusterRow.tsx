import { checkCluster } from "../../api/calls";
import type { Cluster } from "../../api/types";
import { formatAmount } from "../../ui/text/format";
import { describeSecurity, listEndingCertificates } from "./connection";
import { RowActions } from "./RowActions";
import { TestAnswer } from "./TestAnswer";
import { useTest, type Answer } from "./useTest";

interface Props {
  readonly cluster: Cluster;
  readonly mayChange: boolean;
  readonly change: () => void;
  readonly forget: () => void;
}

/** A cluster, whether it answers, and its actions. */
export function ClusterRow({ cluster, mayChange, change, forget }: Props) {
  const { answer, isTesting, test } = useTest(() => ask(cluster.name));
  return (
    <tr>
      <th scope="row">{cluster.name}</th>
      <td className="servers">
        <code>{cluster.bootstrap_servers}</code>
        {cluster.is_local && <small className="quiet">set by KAFKA_BOOTSTRAP_SERVERS</small>}
        {listEndingCertificates(cluster).map((text) => (
          <small key={text} className="bad">
            {text}
          </small>
        ))}
        <TestAnswer answer={answer} />
      </td>
      {mayChange && <td>{describeSecurity(cluster)}</td>}
      <td className="figure">{cluster.jobs.length}</td>
      <RowActions
        testing="Asking Kafka …"
        isTesting={isTesting}
        test={() => void test()}
        mayChange={mayChange}
        isGiven={cluster.is_local}
        jobs={cluster.jobs}
        change={change}
        forget={forget}
      />
    </tr>
  );
}

async function ask(name: string): Promise<Answer> {
  const { addresses } = await checkCluster(name);
  return { isGood: true, text: `Answers: ${formatAmount(addresses.length, "broker")}, ${addresses.join(", ")}` };
}
