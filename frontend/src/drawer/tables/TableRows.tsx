import { useCallback, useState, type ReactNode } from "react";
import { queryRows, queryRowsThen } from "../../api/calls";
import type { Table, TableRow as Row } from "../../api/types";
import { useResource } from "../../api/useResource";
import { usePolling } from "../../api/usePolling";
import { useReloadOn } from "../../api/useReloadOn";
import { useStableValue } from "../../api/useStableValue";
import { useLive } from "../../live/LiveContext";
import { Button } from "../../ui/controls/Button";
import { Notice, RefusalNotice } from "../../ui/messages/Notice";
import { Search } from "../../ui/controls/Search";
import { TableHead } from "../../ui/display/TableHead";
import { Distribution } from "./Distribution";
import { describeRows, makeQuery, makeRowKey, MAX_ROWS, nameRows, PAGE, formatReady } from "./rows";
import { FollowRecord } from "../records/FollowRecord";
import { TableRow } from "./TableRow";
import { WhyRow } from "../records/WhyRow";
import { useGrowing } from "../feed/useGrowing";
import { useItemsView } from "../feed/useItemsView";
import "../records/RecordsTable.css";
import "./Tables.css";

interface Props {
  readonly job: number;
  readonly table: Table;
  /** Number of the kept batch as of which to show rows. Null: now. */
  readonly batch: number | null;
  /** Content before the search field. */
  readonly children: ReactNode;
}

const SETTLED_MS = 250;
const AGAIN_MS = 1_000;
const NO_ROWS: readonly Row[] = [];

/** Committed rows of a table, read again after its node takes in more. An open row does not move. */
export function TableRows({ job, table, batch, children }: Props) {
  const [key, setKey] = useState("");
  const [limit, setLimit] = useState(PAGE);
  const [openRow, setOpenRow] = useState<string | null>(null);
  const jobStatus = useLive(({ state }) => state?.jobStatus.status);
  const isRunning = batch !== null || (jobStatus !== "stopped" && jobStatus !== "failed");
  const stateRows = useLive(({ state }) => state?.numbers?.nodes[table.node]?.state?.rows ?? null);
  // a node's code may keep several stores, and its schedules
  const rowCount = table.is_of_code || batch !== null ? null : stateRows;
  const hasWindows = table.windows !== null;
  const query = useStableValue(key.trim(), SETTLED_MS);
  const { data, refusal, reload } = useRows(job, table, batch, query, limit);
  const { rows: limitRows, onScroll } = useGrowing();
  const rows = data?.rows ?? NO_ROWS;
  const { visible } = useItemsView(rows, openRow !== null, makeRowKey);
  const more = () => {
    setOpenRow(null);
    setLimit(Math.min(limit + PAGE, MAX_ROWS));
  };
  if (!isRunning) return refusal === null ? null : <RefusalNotice refusal={refusal} />;
  return (
    <>
      <div className="controls">
        {children}
        <Search hasKey={false} label={`Find a key (${table.key_type})`} value={key} change={setKey} />
        {visible !== rows && <Button onClick={() => setOpenRow(null)}>Show newest rows</Button>}
        <span className="remark number">
          {data?.status === "ready" && describeRows(rows.length, data.next != null, query === "" ? rowCount : null)}
        </span>
      </div>
      {query === "" && <Distribution rows={visible} />}
      {refusal !== null && <RefusalNotice refusal={refusal} />}
      {data?.status === "restoring" && <Restoring ready={data.restoring?.ready} of={data.restoring?.of} ask={reload} />}
      <div className="record-list" onScroll={onScroll}>
        {visible.length > 0 && (
          <table className={`records of-table ${hasWindows ? "of-windows" : ""}`} aria-label={`Rows of ${table.store}`}>
            <TableHead words={["Key", ...(hasWindows ? ["Window"] : []), "Value", "Time"]} />
            <tbody>
              {nameRows(visible.slice(0, limitRows)).map(({ name, row }) => {
                const toggle = () => setOpenRow(openRow === name ? null : name);
                const target = { row: { store: table.store, key: row.key, window: row.window } };
                const actions = () => {
                  if (table.is_of_code) return null;
                  if (batch === null) return <FollowRecord target={target} />;
                  return <WhyRow key={batch} job={job} batch={batch} row={target.row} value={row.value} />;
                };
                return <TableRow key={name} row={row} actions={actions} isOpen={openRow === name} toggle={toggle} />;
              })}
            </tbody>
          </table>
        )}
        {data?.status === "ready" && visible.length === 0 && (
          <p className="nothing">{query === "" ? "The table has no rows yet." : "No row has this key."}</p>
        )}
        {data?.next != null && limit < MAX_ROWS && (
          <Button onClick={more}>Show more</Button>
        )}
      </div>
    </>
  );
}

function useRows(job: number, table: Table, batch: number | null, key: string, limit: number) {
  const liveCount = useLive(({ state }) => state?.numbers?.nodes[table.node]?.in ?? 0);
  const inCount = batch === null ? liveCount : 0;
  const status = useLive(({ state }) => state?.jobStatus.status);
  const { store, windows } = table;
  const load = useCallback(() => {
    const query = makeQuery({ windows }, key, limit);
    return batch === null ? queryRows(job, store, query) : queryRowsThen(job, batch, store, query);
  }, [job, batch, store, windows, key, limit]);
  const resource = useResource(load);
  // more records or another status may mean other rows
  useReloadOn(`${inCount} ${status}`, resource.reload);
  return resource;
}

interface RestoringProps {
  readonly ready: number | undefined;
  readonly of: number | null | undefined;
  readonly ask: () => Promise<void>;
}

/** The text until the table is ready. It asks again meanwhile. */
function Restoring({ ready, of, ask }: RestoringProps) {
  usePolling(ask, AGAIN_MS);
  const far = of == null ? "" : ` ${formatReady(ready ?? 0, of)}`;
  return <Notice tone="info" title={`The table is being restored.${far}`} />;
}
