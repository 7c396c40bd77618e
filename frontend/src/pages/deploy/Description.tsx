import type { Preview } from "../../api/types";
import { formatAmount } from "../../ui/text/format";
import "./Fold.css";

/** The topology to run, in the words of Kafka Streams' `Topology#describe`. */
export function Description({ preview: { tasks, description } }: { readonly preview: Preview }) {
  const all = tasks.reduce((sum, count) => sum + count, 0);
  return (
    <details className="deploy-fold">
      <summary>
        <b>Topology</b>{" "}
        <span className="quiet">
          {tasks.length === 1 ? "1 sub-topology" : `${tasks.length} sub-topologies`}, {formatAmount(all, "task")}
        </span>
      </summary>
      <pre role="region" tabIndex={0} aria-label="Description of the topology">
        {description}
      </pre>
    </details>
  );
}
