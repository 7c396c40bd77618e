import { useCallback, useMemo, useState } from "react";
import { listAuditEntries, makeAuditAddress } from "../../api/calls";
import type { AuditEntry } from "../../api/types";
import { useResource } from "../../api/useResource";
import { useStableValue } from "../../api/useStableValue";
import "../../ui/controls/controls.css";
import { formatMoment } from "../../ui/text/format";
import { Button } from "../../ui/controls/Button";
import { RefusalNotice } from "../../ui/messages/Notice";
import { Link } from "../../ui/routing/Link";
import { Skeleton } from "../../ui/display/Skeleton";
import { useTitle } from "../../ui/routing/useTitle";
import { TableHead } from "../../ui/display/TableHead";
import { describeChange, makeQuery, type Filter } from "./text";
import "./Audit.css";

const NO_FILTER: Filter = { by: "", what: "", since: "", until: "" };
const PAUSE_MS = 300;
/** The number of entries in one answer of the server. */
const PAGE = 100;

/** Every write: the user, the time, the place, and the change. */
export function Audit() {
  const [filter, setFilter] = useState(NO_FILTER);
  const [before, setBefore] = useState<number | null>(null);
  const stableFilter = useStableValue(filter, PAUSE_MS);
  const query = useMemo(() => makeQuery(stableFilter), [stableFilter]);
  const load = useCallback(() => listAuditEntries(query, before), [query, before]);
  const { data, refusal } = useResource(load);
  useTitle("Audit");
  const change = (part: Partial<Filter>) => {
    setFilter({ ...filter, ...part });
    setBefore(null);
  };
  const last = data?.at(-1);
  return (
    <div className="page audit">
      <div className="title">
        <h1>Audit</h1>
        <a className="button" href={makeAuditAddress(query)} download>
          Export as CSV
        </a>
      </div>
      <Filters filter={filter} change={change} />
      {refusal !== null && <RefusalNotice refusal={refusal} />}
      {data === null && refusal === null && <Skeleton />}
      {data?.length === 0 && <p className="quiet">No entry matches.</p>}
      {data !== null && data.length > 0 && <Entries entries={data} />}
      {(before !== null || data?.length === PAGE) && (
        <div>
          {before !== null && <Button onClick={() => setBefore(null)}>Newest</Button>}{" "}
          {data?.length === PAGE && last !== undefined && (
            <Button onClick={() => setBefore(last.id)}>Older</Button>
          )}
        </div>
      )}
    </div>
  );
}

interface FiltersProps {
  readonly filter: Filter;
  readonly change: (part: Partial<Filter>) => void;
}

function Filters({ filter, change }: FiltersProps) {
  return (
    <div className="filters controls">
      <label>
        <span>User</span>
        <input value={filter.by} onChange={({ target }) => change({ by: target.value })} />
      </label>
      <label>
        <span>What</span>
        <input
          placeholder="deploy, orders, jobs/7"
          value={filter.what}
          onChange={({ target }) => change({ what: target.value })}
        />
      </label>
      <label>
        <span>From</span>
        <input type="date" value={filter.since} onChange={({ target }) => change({ since: target.value })} />
      </label>
      <label>
        <span>Until</span>
        <input type="date" value={filter.until} onChange={({ target }) => change({ until: target.value })} />
      </label>
    </div>
  );
}

function Entries({ entries }: { readonly entries: readonly AuditEntry[] }) {
  return (
    <div className="panel table-scroll">
      <table>
        <TableHead words={["When", "Who", "What", "Changes"]} />
        <tbody>
          {entries.map((entry) => (
            <EntryRow key={entry.id} entry={entry} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function EntryRow({ entry }: { readonly entry: AuditEntry }) {
  return (
    <tr>
      <td>
        {formatMoment(Date.parse(entry.at))}
        {entry.until !== null && <small>until {formatMoment(Date.parse(entry.until))}</small>}
      </td>
      <th scope="row">
        {entry.by === "" ? "–" : entry.by}
        <small>
          {entry.token === "" ? "" : `token ${entry.token}, `}
          {entry.address}
        </small>
      </th>
      <td>
        {entry.what}
        <small title={entry.about}>
          <About entry={entry} />
        </small>
      </td>
      <td>
        <ul className="changes">
          {entry.changes.map((change, place) => {
            const { of, field, before, after } = describeChange(change, entry.thing?.name);
            return (
              <li key={place}>
                {of} {field} {before !== null && <del>{before}</del>} {after !== null && <ins>{after}</ins>}
              </li>
            );
          })}
        </ul>
      </td>
    </tr>
  );
}

/** The thing that an entry is about, with a link while there is one. Else its request or command. */
function About({ entry: { thing, about } }: { readonly entry: AuditEntry }) {
  if (thing === null) return about;
  return thing.address === "" ? thing.name : <Link href={thing.address}>{thing.name}</Link>;
}
