import { useCallback, useEffect, useState, type ReactNode } from "react";
import { searchRecords } from "../../api/calls";
import type { FeedRecord } from "../../api/feed";
import { toRefusal, type Refusal } from "../../api/refusal";
import type { FoundRecords as Found, RecordSearch } from "../../api/types";
import { RecordsTable } from "../../drawer/records/RecordsTable";
import { formatAmount, formatCount } from "../../ui/text/format";
import { Button } from "../../ui/controls/Button";
import { RefusalNotice } from "../../ui/messages/Notice";

interface Props {
  readonly cluster: string;
  readonly topic: string;
  /** Null while the search is incomplete. */
  readonly search: RecordSearch | null;
  /** How often the user sent records: they are read after each. */
  readonly sends: number;
  readonly actions: ((record: FeedRecord) => ReactNode) | undefined;
}

interface State {
  readonly records: readonly FeedRecord[];
  readonly next: Found["next"];
  readonly scanCount: number;
}

const NOTHING: State = { records: [], next: null, scanCount: 0 };

/** The results of a search, part by part. */
export function FoundRecords({ cluster, topic, search, sends, actions }: Props) {
  const [state, setState] = useState<State>(NOTHING);
  const [isBusy, setBusy] = useState(search !== null);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [openKeys, setOpenKeys] = useState<ReadonlySet<string>>(new Set());
  const load = useCallback(
    async (before: State, isWanted: () => boolean = () => true) => {
      if (search === null) return;
      setBusy(true);
      setRefusal(null);
      try {
        const page = await searchRecords(cluster, topic, { ...search, next: before.next });
        const { next, scanned } = page;
        const records = [...before.records, ...page.records];
        if (isWanted()) setState({ records, next, scanCount: before.scanCount + scanned });
      } catch (error) {
        if (isWanted()) setRefusal(toRefusal(error));
      }
      if (isWanted()) setBusy(false);
    },
    [cluster, topic, search],
  );
  useEffect(() => {
    let isHere = true;
    // eslint-disable-next-line react-hooks/set-state-in-effect -- what is set says that it is being asked
    void load(NOTHING, () => isHere);
    return () => {
      isHere = false;
    };
  }, [load, sends]);
  const toggle = (key: string) =>
    setOpenKeys((before) => (before.has(key) ? without(before, key) : new Set([...before, key])));
  const { records, next, scanCount } = state;
  return (
    <>
      {refusal !== null && <RefusalNotice refusal={refusal} />}
      <div className="record-list">
        {records.length > 0 && (
          <RecordsTable
            label="Records"
            records={records}
            areDeadLetters={false}
            openKeys={openKeys}
            toggle={toggle}
            actions={actions}
          />
        )}
        <p className="finds">
          <span className="quiet number" role="status">
            {describeStatus(search, isBusy, state)}
          </span>
          {search !== null && next !== null && (
            <Button isBusy={isBusy} onClick={() => void load(state)}>
              {records.length === 0 || scanCount === 0 ? "Search on" : "More"}
            </Button>
          )}
          {search !== null && (
            <Button isBusy={isBusy} onClick={() => void load(NOTHING)}>
              Read again
            </Button>
          )}
        </p>
      </div>
    </>
  );
}

function describeStatus(search: RecordSearch | null, isBusy: boolean, { records, next, scanCount }: State): string {
  if (search === null) return "Enter a time to begin at.";
  if (isBusy) return "Reading …";
  if (records.length === 0 && next === null && scanCount === 0) return "This range has no records.";
  const of = `${formatAmount(scanCount, "record")} read`;
  if (records.length === 0) return `Nothing found. ${of}${next === null ? "" : " so far"}.`;
  return `${formatCount(records.length)} shown, ${of}${next === null ? ", no more" : ""}.`;
}

function without(keys: ReadonlySet<string>, key: string): ReadonlySet<string> {
  return new Set([...keys].filter((one) => one !== key));
}
