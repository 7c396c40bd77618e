import { useCallback, useMemo, useRef, useState, type ReactNode } from "react";
import type { FeedRecord } from "../../api/feed";
import { Button } from "../../ui/controls/Button";
import { Search } from "../../ui/controls/Search";
import { Prose } from "../../ui/messages/Prose";
import { FeedNotices } from "../feed/FeedNotices";
import { useItemsView } from "../feed/useItemsView";
import { RecordsTable } from "./RecordsTable";
import { SkippedRecords } from "../feed/SkippedRecords";
import { applyTailMessage, contains, makeRecordKey, NO_TAIL, type Tail } from "./tail";
import { useFeed } from "../feed/useFeed";
import { useGrowing } from "../feed/useGrowing";

interface Props {
  readonly path: string;
  /** The table's name. */
  readonly label: string;
  /** The message for a topic without records to show. */
  readonly empty: string;
  /** Shows the reason for each failed record. */
  readonly areDeadLetters?: boolean;
  /** Actions for an opened record. */
  readonly actions?: ((record: FeedRecord) => ReactNode) | undefined;
  /** Actions for several opened records together. */
  readonly actionsOfOpen?: (records: readonly FeedRecord[]) => ReactNode;
  /** Content before the search field. */
  readonly children: ReactNode;
}

/** A table that follows records, newest on top. New rows do not disturb readers who scroll down or open a row. */
export function TailPane({ path, label, empty, areDeadLetters = false, actions, actionsOfOpen, children }: Props) {
  const { state: tail, connection, isPaused, pause, resume } = useFeed(path, NO_TAIL, applyTailMessage);
  const [text, setText] = useState("");
  const [openKeys, setOpenKeys] = useState<ReadonlySet<string>>(new Set());
  const list = useRef<HTMLDivElement>(null);
  const { rows, isAtTop, onScroll } = useGrowing();
  const { visible, newer } = useItemsView(tail.records, !isAtTop || openKeys.size > 0, makeRecordKey);
  const matches = useMemo(() => visible.filter((record) => contains(record, text)), [visible, text]);

  const open = visible.filter((record) => openKeys.has(makeRecordKey(record)));
  const toggle = useCallback((key: string) => setOpenKeys((before) => toggleKey(before, key)), []);
  const showNew = () => {
    setOpenKeys(new Set());
    list.current?.scrollTo({ top: 0 });
  };
  return (
    <>
      <div className="controls">
        {children}
        <Search hasKey={false} label={`Search ${label.toLowerCase()}`} value={text} change={setText} />
        <Button onClick={isPaused ? resume : pause}>{isPaused ? "Resume" : "Pause"}</Button>
        {newer > 0 && <Button onClick={showNew}>Show {newer} new</Button>}
        {open.length > 1 && actionsOfOpen?.(open)}
        <SkippedRecords amount={tail.skipCount} />
      </div>
      <FeedNotices connection={connection} note={tail.note} />
      <div className="record-list" ref={list} onScroll={onScroll}>
        {matches.length > 0 ? (
          <RecordsTable
            label={label}
            records={matches.slice(0, rows)}
            areDeadLetters={areDeadLetters}
            openKeys={openKeys}
            toggle={toggle}
            actions={actions}
          />
        ) : (
          <p className="nothing">
            <Prose text={explainEmpty(tail, visible.length > 0, empty)} />
          </p>
        )}
      </div>
    </>
  );
}

/** Why there are no rows, unless a note has said so already. */
function explainEmpty({ hasRead, note }: Tail, isFiltered: boolean, empty: string): string {
  if (isFiltered) return "No record matches the search.";
  if (note !== null) return "";
  return hasRead ? empty : "Reading …";
}

function toggleKey(keys: ReadonlySet<string>, key: string): ReadonlySet<string> {
  return keys.has(key) ? new Set([...keys].filter((one) => one !== key)) : new Set([...keys, key]);
}
