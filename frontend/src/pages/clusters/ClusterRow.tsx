import { checkCluster, checkRegistry } from "../../api/calls";
import type { Cluster } from "../../api/types";
import { Ago } from "../../ui/display/Ago";
import { Prose } from "../../ui/messages/Prose";
import { formatAmount, formatMoment } from "../../ui/text/format";
import { describeSecurity, describeWaiting, listEndingCertificates } from "./connection";
import { describeAccess } from "./registry";
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
  const { answer, isTesting, test } = useTest(() => ask(cluster));
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
        {cluster.registry !== null && (
          <small className="quiet">
            Schema registry: <code>{cluster.registry.url}</code>
          </small>
        )}
        {cluster.no_answer !== null && answer === null && (
          <NoAnswer noAnswer={cluster.no_answer} jobs={cluster.jobs.length} />
        )}
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

interface NoAnswerProps {
  readonly noAnswer: NonNullable<Cluster["no_answer"]>;
  readonly jobs: number;
}

/** That a cluster does not answer: since when, what to do, and what its jobs do meanwhile. */
function NoAnswer({ noAnswer: { since, why, hint }, jobs }: NoAnswerProps) {
  return (
    <small className="bad" role="status">
      No answer since {formatMoment(Date.parse(since))} (<Ago at={since} />
      ). <Prose text={`${why} ${hint}${describeWaiting(jobs)}`} />
    </small>
  );
}

async function ask({ name, registry }: Cluster): Promise<Answer> {
  const { addresses } = await checkCluster(name);
  const kafka = `Answers: ${formatAmount(addresses.length, "broker")}, ${addresses.join(", ")}`;
  if (registry === null) return { isGood: true, text: kafka };
  return { isGood: true, text: `${kafka}. ${describeAccess(await checkRegistry(name))}` };
}
