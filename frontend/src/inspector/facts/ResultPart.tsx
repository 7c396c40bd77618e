import { tryOut } from "../../api/calls";
import type { Document, Graph, RecordSchema, TrialResult } from "../../api/types";
import { indentJson } from "../../ui/text/json";
import { formatRecordTime } from "../../ui/text/content";
import { SchemaView } from "./SchemaView";
import { useFlows } from "./useFlows";
import { useTrialAnswer } from "./useTrialAnswer";
import "./BeneathPart.css";

interface Props {
  readonly id: string;
  readonly graph: Graph;
}

const ask = (document: Document, node: string, cluster: string) => tryOut(document, node, cluster, null);

/** The shape of a node's result, and its newest value in a trial of the topics' newest records. */
export function ResultPart({ id, graph }: Props) {
  const [flow] = Object.values(useFlows(graph, false)?.[id]?.outputs ?? {});
  const result = useTrialAnswer(id, graph, ask);
  const [output] = Object.values(result?.outputs ?? {});
  return flow?.carries == null ? null : <Result schema={flow.carries} records={output?.records ?? null} />;
}

interface ResultProps {
  readonly schema: RecordSchema;
  /** The result of a trial, or null while there is none. */
  readonly records: readonly Pick<TrialResult, "key" | "window" | "value">[] | null;
}

export function Result({ schema, records }: ResultProps) {
  const newest = records?.at(-1);
  return (
    <section className="part beneath" aria-label="Result">
      <h3>Result</h3>
      <SchemaView schema={schema} />
      {newest !== undefined && (
        <figure>
          <figcaption>
            With the newest records, for key <code>{newest.key}</code>
            {newest.window !== null && <> from {formatRecordTime(newest.window.start)}</>}:
          </figcaption>
          <pre>{newest.value === null ? "null" : indentJson(newest.value)}</pre>
        </figure>
      )}
      {records?.length === 0 && <p className="quiet">The newest records give no result yet.</p>}
    </section>
  );
}
