import { countWaiting, describeWait } from "../../../ui/text/waits";
import type { Numbers, SourceNumbers } from "../../../live/state";
import { formatAmount, formatCount, formatDuration, formatRate } from "../../../ui/text/format";
import { Panel } from "../../../ui/display/Panel";
import { chooseFigureClass } from "./figures";
import "./SourcesPanel.css";

/** The lag of each source topic, in total and by partition. */
export function SourcesPanel({ numbers }: { readonly numbers: Numbers | null }) {
  const sources = Object.entries(numbers?.sources ?? {});
  const lag = numbers?.lag ?? null;
  return (
    <Panel title="Sources" aside={lag === null ? "" : <span className="number">{formatCount(lag)} behind</span>}>
      {sources.length === 0 && <p className="nothing">Lag appears here when the first run reads its topics.</p>}
      {sources.map(([topic, source]) => (
        <Source key={topic} topic={topic} source={source} />
      ))}
    </Panel>
  );
}

function Source({ topic, source }: { readonly topic: string; readonly source: SourceNumbers }) {
  const waits = describeWait([source]);
  return (
    <details className="source">
      <summary>
        <span className="topic mono">{topic}</span>
        <span className="number">
          <b>{formatRate(source.rate)}</b> <span className="quiet">/s</span>
        </span>
        <span className="number lag">
          <span className="quiet">lag</span> <b>{formatCount(source.total_lag)}</b>
        </span>
        <span className="number quiet time">{describeLagTime(source)}</span>
        {waits !== "" && <span className="waits">{waits}</span>}
      </summary>
      <PartitionTable source={source} />
    </details>
  );
}

/** Lag as time: the time to catch up while it falls, else the amount of work. */
function describeLagTime(source: SourceNumbers): string {
  if (source.total_lag === null) return "unknown";
  if (source.total_lag === 0 && countWaiting([source]) > 0) return "held up";
  if (source.total_lag === 0) return "caught up";
  if (source.catch_up_s === 0 || source.lag_s === 0) return "keeping up";
  if (source.catch_up_s !== null) return `caught up in ${formatDuration(source.catch_up_s * 1_000)}`;
  return source.lag_s === null ? "not reading" : `${formatDuration(source.lag_s * 1_000)} behind`;
}

function PartitionTable({ source }: { readonly source: SourceNumbers }) {
  const most = Math.max(1, ...(source.lag ?? []));
  return (
    <table>
      <caption className="for-screen-readers">{formatAmount(source.offsets.length, "partition")}</caption>
      <thead>
        <tr>
          <th scope="col">Partition</th>
          <th scope="col" className="figure">
            Next offset
          </th>
          <th scope="col" className="figure">
            End
          </th>
          <th scope="col" className="figure">
            Lag
          </th>
          <th scope="col" className="share">
            <span className="for-screen-readers">Share</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {source.offsets.map((offset, partition) => {
          const lag = source.lag?.[partition];
          return (
            <tr key={partition}>
              <th scope="row" className="number">
                {partition}
              </th>
              <td className="figure">{formatCount(offset)}</td>
              <td className="figure">{formatCount(source.ends[partition])}</td>
              <td className={chooseFigureClass(lag)}>{formatCount(lag)}</td>
              <td className="share">
                <meter min={0} max={most} value={lag ?? 0} aria-label={`Lag of partition ${partition}`} />
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
