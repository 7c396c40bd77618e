import { describeWait } from "../../ui/text/waits";
import type { SourceNumbers } from "../../live/state";
import { formatCount, formatDuration } from "../../ui/text/format";

interface Props {
  /** Undefined while unknown. */
  readonly source: SourceNumbers | undefined;
  /** The name, if it is one of several. */
  readonly topic: string | null;
}

/** The lag of a source: in total, as time, and by partition. */
export function LagPart({ source, topic }: Props) {
  if (source?.lag == null) return null;
  const most = Math.max(1, ...source.lag);
  const waits = describeWait([source]);
  return (
    <>
      {waits !== "" && <p className="waits">{waits}.</p>}
      <details className="lag-part number">
        <summary>
          {topic === null ? "Lag" : <>Lag of {topic}</>} <b>{formatCount(source.total_lag)}</b>{" "}
          {describeLagTime(source)}
        </summary>
        <ol>
          {source.lag.map((lag, partition) => (
            <li key={partition}>
              <span className="quiet">{partition}</span>
              <span>{formatCount(lag)}</span>
              <meter min={0} max={most} value={lag} aria-label={`Lag of partition ${partition}`} />
            </li>
          ))}
        </ol>
      </details>
    </>
  );
}

function describeLagTime({ total_lag, lag_s, trend }: SourceNumbers): string {
  if (!total_lag || !lag_s) return "";
  return `· ${formatDuration(lag_s * 1_000)} of work${trend === null ? "" : `, ${trend}`}`;
}
