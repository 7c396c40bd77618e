import { useCallback, useState } from "react";
import { listTables, listTablesThen } from "../../api/calls";
import { useResource } from "../../api/useResource";
import { useStableValue } from "../../api/useStableValue";
import { useDeployment } from "../../editor/interface/useDeployment";
import { usePast } from "../../editor/interface/past";
import { useInterface } from "../../editor/interface/useEditor";
import { useLive } from "../../live/LiveContext";
import { RefusalNotice } from "../../ui/messages/Notice";
import { TableRows } from "./TableRows";
import { useSelectedNode } from "../../editor/interface/useSelectedNode";

/** While the slider moves. */
const SETTLED_MS = 200;

/** The committed rows of the selected node's table, or of another that the user picks. In the past, those of then. */
export function Tables() {
  const { job } = useDeployment();
  if (job === null) return <p className="nothing">No job runs this topology yet. Deploy it to see its tables here.</p>;
  return <TablesOf key={job.id} job={job.id} />;
}

function TablesOf({ job }: { readonly job: number }) {
  const node = useSelectedNode();
  const run = useLive(({ state }) => state?.jobStatus.run ?? null);
  const isPast = useInterface(({ view }) => view === "past");
  const past = useStableValue(usePast(({ batch }) => batch?.number ?? null), SETTLED_MS);
  const batch = isPast ? past : null;
  const load = useCallback(
    () => (batch === null ? listTables(job) : listTablesThen(job, batch)),
    // eslint-disable-next-line react-hooks/exhaustive-deps -- another run may keep other tables
    [job, batch, run],
  );
  const { data: tables, refusal } = useResource(load);
  const [choice, setChoice] = useState<{ readonly beside: string | null; readonly store: string } | null>(null);
  if (refusal !== null) return <RefusalNotice refusal={refusal} />;
  if (tables === null) return <p className="nothing">Reading …</p>;
  const current = choice?.beside === node ? tables.find(({ store }) => store === choice.store) : undefined;
  const table = current ?? tables.find((each) => each.node === node) ?? tables[0];
  if (table === undefined) return <p className="nothing">{NONE}</p>;
  return (
    <TableRows key={table.store} job={job} table={table} batch={batch}>
      <label className="choice">
        Table
        <select value={table.store} onChange={(event) => setChoice({ beside: node, store: event.target.value })}>
          {tables.map(({ store }) => (
            <option key={store}>{store}</option>
          ))}
        </select>
      </label>
      <span className="quiet">of {table.node}</span>
    </TableRows>
  );
}

const NONE =
  "This job keeps no tables. Nodes such as count, aggregate and to_table make tables. " +
  "Joined tables and the stores of process and process_values are shown here too.";
