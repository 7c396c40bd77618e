import { useCallback } from "react";
import { estimateState } from "../../api/calls";
import type { Deploy, StateEstimate } from "../../api/types";
import { useResource } from "../../api/useResource";
import { useLive } from "../../live/LiveContext";
import { Prose } from "../../ui/messages/Prose";
import { formatAmount, formatBytes, formatCount } from "../../ui/text/format";
import { TableHead } from "../../ui/display/TableHead";
import { describeEstimate } from "./sentences";
import "./Deploy.css";

/** The expected size of each store, after a day or once the topics are read, beside its measured size. */
export function StateFold({ of }: { readonly of: Partial<Deploy> }) {
  const { topology = null, version = null, cluster = null } = of;
  const { data, refusal } = useResource(
    useCallback(() => estimateState({ topology, version, cluster }), [topology, version, cluster]),
  );
  const nodes = useLive(({ state }) => state?.numbers?.nodes);
  if (data?.stores.length === 0) return null;
  return (
    <details className="deploy-fold durability">
      <summary>
        <b>Size of the state</b>{" "}
        <span className="quiet">
          {data === null ? (refusal === null ? "trying the newest records …" : "not estimated") : describeSize(data)}
        </span>
      </summary>
      {refusal !== null && (
        <p className="quiet">
          <Prose text={`${refusal.message} ${refusal.hint}`} />
        </p>
      )}
      {data !== null && (
        <>
          <p className="quiet">
            <Prose text={describeEstimate(data)} />
          </p>
          <table>
            <TableHead words={["Node", "Store", "Rows expected", "Size expected", "Measured now"]} />
            <tbody>
              {data.stores.map(({ node, store, rows, bytes }) => (
                <tr key={store}>
                  <th scope="row" className="mono">
                    {node}
                  </th>
                  <td className="mono">{store}</td>
                  <td className="number">{formatCount(rows)}</td>
                  <td className="number">{formatBytes(bytes)}</td>
                  <td className="number">{describeMeasured(nodes?.[node]?.state)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
    </details>
  );
}

function describeSize({ stores, records_per_day, restore_s }: StateEstimate): string {
  const [rows, bytes] = [sum(stores.map((each) => each.rows)), sum(stores.map((each) => each.bytes))];
  const size = `${formatAmount(rows, "row")}, ${formatBytes(bytes)}`;
  const when = records_per_day === 0 ? "once the topics are read" : "after a day";
  return `about ${size} ${when}; restored in ${formatSeconds(restore_s)}`;
}

function describeMeasured(size: { readonly rows: number; readonly bytes: number } | null | undefined): string {
  return size == null ? "–" : `${formatAmount(size.rows, "row")}, ${formatBytes(size.bytes)}`;
}

function formatSeconds(seconds: number): string {
  return seconds < 1 ? "less than 1 s" : `about ${formatCount(Math.round(seconds))} s`;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, each) => total + each, 0);
}
