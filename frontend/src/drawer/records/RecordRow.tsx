import { memo, type MouseEvent, type ReactNode } from "react";
import { findDeadLetter, type FeedRecord } from "../../api/feed";
import { formatRecordTime } from "../../ui/text/content";
import { formatRecordPlace } from "../../ui/text/format";
import { Content } from "./Content";
import { Opener } from "./Opener";
import { RecordDetails } from "./RecordDetails";
import { makeRecordKey } from "./tail";

interface Props {
  readonly record: FeedRecord;
  readonly areDeadLetters: boolean;
  readonly isOpen: boolean;
  readonly toggle: (key: string) => void;
  /** Actions for an opened record. */
  readonly actions: ((record: FeedRecord) => ReactNode) | undefined;
}

interface CellsProps {
  readonly record: FeedRecord;
  readonly isOpen: boolean;
  readonly toggle: () => void;
}

/** One record on one line, with all of it below when open. */
export const RecordRow = memo(function RecordRow({ record, areDeadLetters, isOpen, toggle, actions }: Props) {
  const toggleThis = () => toggle(makeRecordKey(record));
  const handleClick = (event: MouseEvent) => {
    const isSelecting = getSelection()?.isCollapsed === false;
    if (!(event.target instanceof HTMLButtonElement) && !isSelecting) toggleThis();
  };
  const Cells = areDeadLetters ? DeadLetterCells : RecordCells;
  return (
    <>
      <tr className={isOpen ? "open" : undefined} onClick={handleClick}>
        <Cells record={record} isOpen={isOpen} toggle={toggleThis} />
      </tr>
      {isOpen && (
        <tr className="details">
          <td colSpan={5}>
            <div className="within">
              <RecordDetails record={record} />
              {actions?.(record)}
            </div>
          </td>
        </tr>
      )}
    </>
  );
});

function RecordCells({ record, isOpen, toggle }: CellsProps) {
  return (
    <>
      <td>
        <Opener text={formatRecordTime(record.timestamp)} isOpen={isOpen} toggle={toggle} />
      </td>
      <td className="figure">{record.partition}</td>
      <td className="figure">{record.offset}</td>
      <td>
        <Content text={record.key} isBase64={record.is_key_base64} />
      </td>
      <td>
        <Content text={record.value} isBase64={record.is_value_base64} />
      </td>
    </>
  );
}

function DeadLetterCells({ record, isOpen, toggle }: CellsProps) {
  const letter = findDeadLetter(record);
  return (
    <>
      <td>
        <Opener text={letter?.reason ?? ""} isOpen={isOpen} toggle={toggle} />
      </td>
      <td>
        <code>{letter?.node}</code>
      </td>
      <td>
        <Content text={record.value} isBase64={record.is_value_base64} />
      </td>
      <td className="number">
        <code>{letter && formatRecordPlace(letter)}</code>
      </td>
      <td className="number">{formatRecordTime(letter?.at ?? record.timestamp)}</td>
    </>
  );
}
