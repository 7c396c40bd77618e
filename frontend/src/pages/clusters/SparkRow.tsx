import { useState } from "react";
import { checkSparkCluster } from "../../api/calls";
import { refusalFrom } from "../../api/refusal";
import type { SparkCluster } from "../../api/types";
import { counted } from "../../numbers/format";
import { Button } from "../../parts/Button";
import { Prose } from "../../parts/Prose";
import { answerOf, type Answer } from "./spark";

interface Props {
  readonly cluster: SparkCluster;
  readonly mayChange: boolean;
  readonly change: () => void;
  readonly forget: () => void;
}

/** A Spark cluster, what a test job finds there, and what can be done with it. */
export function SparkRow({ cluster, mayChange, change, forget }: Props) {
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [busy, setBusy] = useState(false);
  const test = async () => {
    setBusy(true);
    setAnswer(null);
    setAnswer(await asked(cluster.name));
    setBusy(false);
  };
  return (
    <tr>
      <th scope="row">{cluster.name}</th>
      <td className="servers">
        <code>{cluster.master}</code>
        <small>
          <code>{cluster.checkpoint_root}</code>
        </small>
        {cluster.is_default && <small className="quiet">set by SPARK_MASTER</small>}
        {answer !== null && (
          <small className={answer.good ? "good" : "bad"} role="status">
            <Prose text={answer.text} />
          </small>
        )}
      </td>
      <td>
        {counted(cluster.executor_cores, "core")}, {cluster.executor_memory_mb.toLocaleString("en")} MiB
      </td>
      <td className="figure">{cluster.jobs.length}</td>
      <td className="actions">
        <Button busy={busy} onClick={() => void test()}>
          {busy ? "Running a test job …" : "Test"}
        </Button>
        {mayChange && <Button onClick={change}>Change</Button>}
        {mayChange && !cluster.is_default && (
          <Button
            disabled={cluster.jobs.length > 0}
            title={cluster.jobs.length === 0 ? undefined : `Used by jobs: ${cluster.jobs.join(", ")}`}
            onClick={forget}
          >
            Remove
          </Button>
        )}
      </td>
    </tr>
  );
}

async function asked(name: string): Promise<Answer> {
  try {
    return answerOf(await checkSparkCluster(name));
  } catch (error) {
    const { message, hint } = refusalFrom(error);
    return { good: false, text: `${message} ${hint}` };
  }
}
