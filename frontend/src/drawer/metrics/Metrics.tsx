import { useMemo } from "react";
import { useLive } from "../../live/LiveContext";
import { useDeployment } from "../../editor/interface/useDeployment";
import { Chart } from "./Chart";
import { makeColumns, MEASURES } from "./series";
import "./Metrics.css";

/** Throughput, lag, latency and batch time of the last hour, side by side. */
export function Metrics() {
  const { job } = useDeployment();
  const history = useLive((live) => live.history);
  const charts = useMemo(
    () => MEASURES.map((measure) => ({ ...measure, columns: makeColumns(history, measure.measure) })),
    [history],
  );
  if (job === null) return <p className="nothing">No job runs this topology yet. Deploy it to see its numbers here.</p>;
  if (history.length === 0) return <p className="nothing">No numbers yet. They appear with the first run.</p>;
  return (
    <div className="charts">
      {charts.map(({ measure, word, columns, say, tick }) => (
        <Chart key={measure} title={word} lines={columns} say={say} tick={tick} />
      ))}
    </div>
  );
}
