import { checkSparkCluster } from "../../api/calls";
import type { SparkCluster } from "../../api/types";
import { formatAmount } from "../../ui/text/format";
import { RowActions } from "./RowActions";
import { describeAnswer } from "./spark";
import { TestAnswer } from "./TestAnswer";
import { useTest } from "./useTest";

interface Props {
  readonly cluster: SparkCluster;
  readonly mayChange: boolean;
  readonly change: () => void;
  readonly forget: () => void;
}

/** A Spark cluster, the result of a probe, and its actions. */
export function SparkRow({ cluster, mayChange, change, forget }: Props) {
  const { answer, isTesting, test } = useTest(async () => describeAnswer(await checkSparkCluster(cluster.name)));
  return (
    <tr>
      <th scope="row">{cluster.name}</th>
      <td className="servers">
        <code>{cluster.master}</code>
        <small>
          <code>{cluster.checkpoint_root}</code>
        </small>
        {cluster.is_default && <small className="quiet">set by SPARK_MASTER</small>}
        <TestAnswer answer={answer} />
      </td>
      <td>
        {formatAmount(cluster.executor_cores, "core")}, {cluster.executor_memory_mb.toLocaleString("en")} MiB
      </td>
      <td className="figure">{cluster.jobs.length}</td>
      <RowActions
        testing="Running a probe …"
        isTesting={isTesting}
        test={() => void test()}
        mayChange={mayChange}
        isGiven={cluster.is_default}
        jobs={cluster.jobs}
        change={change}
        forget={forget}
      />
    </tr>
  );
}
