import type { ReactNode } from "react";
import type { FeedRecord } from "../../api/feed";
import { RecordRow } from "./RecordRow";
import { makeRecordKey } from "./tail";
import { TableHead } from "../../ui/display/TableHead";
import "./RecordsTable.css";

interface Props {
  readonly label: string;
  readonly records: readonly FeedRecord[];
  /** Failed records: the reason comes first. */
  readonly areDeadLetters: boolean;
  readonly openKeys: ReadonlySet<string>;
  readonly toggle: (key: string) => void;
  readonly actions: ((record: FeedRecord) => ReactNode) | undefined;
}

const RECORD_COLUMNS = ["Time", "Partition", "Offset", "Key", "Value"];
const DEAD_LETTER_COLUMNS = ["Reason", "Node", "Value", "Came from", "Failed"];
const FIGURES = ["Partition", "Offset"];

/** Records, the newest on top, one line each. A row opens to the whole record. */
export function RecordsTable({ label, records, areDeadLetters, openKeys, toggle, actions }: Props) {
  return (
    <table className={areDeadLetters ? "records of-letters" : "records"} aria-label={label}>
      <TableHead words={areDeadLetters ? DEAD_LETTER_COLUMNS : RECORD_COLUMNS} figures={FIGURES} />
      <tbody>
        {records.map((record) => {
          const key = makeRecordKey(record);
          return (
            <RecordRow
              key={key}
              record={record}
              areDeadLetters={areDeadLetters}
              isOpen={openKeys.has(key)}
              toggle={toggle}
              actions={actions}
            />
          );
        })}
      </tbody>
    </table>
  );
}
