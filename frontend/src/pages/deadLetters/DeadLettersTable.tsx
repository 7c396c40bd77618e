import { useState, type ReactNode } from "react";
import type { FeedRecord } from "../../api/feed";
import type { ShownDeadLetter } from "../../api/types";
import { Content } from "../../drawer/records/Content";
import { Opener } from "../../drawer/records/Opener";
import { RecordDetails } from "../../drawer/records/RecordDetails";
import "../../drawer/records/RecordsTable.css";
import { Ago } from "../../ui/display/Ago";
import { Button } from "../../ui/controls/Button";
import { formatRecordPlace } from "../../ui/text/format";
import { formatPlace } from "./deadLetters";

interface Props {
  readonly letters: readonly ShownDeadLetter[];
  readonly marks: ReadonlySet<string>;
  readonly mark: (places: ReadonlySet<string>) => void;
  readonly edit: (letter: ShownDeadLetter) => void;
  readonly mayEdit: boolean;
  /** Why the user may not redrive. */
  readonly whyNotEdit: string | null;
  /** Other actions for its record. */
  readonly actions: (record: FeedRecord) => ReactNode;
}

/** The newest letters, each with a mark to choose it. A row opens to the record and its history. */
export function DeadLettersTable({ letters, marks, mark, edit, mayEdit, whyNotEdit, actions }: Props) {
  const [openId, setOpenId] = useState<string | null>(null);
  const toggle = (place: string) => {
    const others = [...marks].filter((one) => one !== place);
    return new Set(marks.has(place) ? others : [...others, place]);
  };
  return (
    <div className="table-scroll">
      <table className="records" aria-label="Dead letters">
        <thead>
          <tr>
            <th scope="col" className="mark">
              <input
                type="checkbox"
                aria-label="Choose all letters in this list"
                checked={letters.length > 0 && letters.every((letter) => marks.has(formatPlace(letter)))}
                onChange={({ target }) => mark(new Set(target.checked ? letters.map(formatPlace) : []))}
              />
            </th>
            <th scope="col">Reason</th>
            <th scope="col">Node</th>
            <th scope="col">Value</th>
            <th scope="col">Came from</th>
            <th scope="col">Failed</th>
            <th scope="col">Sent back</th>
          </tr>
        </thead>
        <tbody>
          {letters.map((letter) => {
            const place = formatPlace(letter);
            return (
              <DeadLetterRow
                key={place}
                letter={letter}
                isMarked={marks.has(place)}
                toggleMark={() => mark(toggle(place))}
                isOpen={openId === place}
                toggle={() => setOpenId(openId === place ? null : place)}
                edit={mayEdit ? () => edit(letter) : undefined}
                whyNotEdit={whyNotEdit}
                actions={actions}
              />
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

interface RowProps {
  readonly letter: ShownDeadLetter;
  readonly isMarked: boolean;
  readonly toggleMark: () => void;
  readonly isOpen: boolean;
  readonly toggle: () => void;
  readonly edit: (() => void) | undefined;
  readonly whyNotEdit: Props["whyNotEdit"];
  readonly actions: Props["actions"];
}

function DeadLetterRow({ letter, isMarked, toggleMark, isOpen, toggle, edit, whyNotEdit, actions }: RowProps) {
  const { record, mark, at } = letter;
  const { reason, node } = record.letter;
  const isCut = record.is_value_cut || record.is_key_cut;
  return (
    <>
      <tr className={isOpen ? "open" : undefined}>
        <td className="mark">
          <input
            type="checkbox"
            aria-label={`Choose the letter at ${formatRecordPlace(letter.record)}`}
            checked={isMarked}
            onChange={toggleMark}
          />
        </td>
        <td>
          <Opener text={reason} isOpen={isOpen} toggle={toggle} />
        </td>
        <td>
          <code>{node}</code>
        </td>
        <td>
          <Content text={record.value} isBase64={record.is_value_base64} />
        </td>
        <td className="number">
          <code>{formatRecordPlace(record.letter)}</code>
        </td>
        <td>
          <Ago at={at} />
        </td>
        <td>{mark === null ? <span className="quiet">no</span> : <Ago at={mark.at} />}</td>
      </tr>
      {isOpen && (
        <tr className="details">
          <td colSpan={7}>
            <RecordDetails record={record} />
            {mark !== null && <RedriveMark letter={letter} />}
            {mark === null && edit !== undefined && (
              <div className="edit-line">
                <Button why={whyNotEdit} disabled={isCut} onClick={edit}>
                  Edit and redrive
                </Button>
                {isCut && <span className="quiet">This record is too long to edit here.</span>}
              </div>
            )}
            {actions(record)}
          </td>
        </tr>
      )}
    </>
  );
}

/** The user who sent it back. If it was edited, both contents beside each other. */
function RedriveMark({ letter: { mark } }: { readonly letter: ShownDeadLetter }) {
  if (mark === null) return null;
  return (
    <dl className="record">
      <dt>Sent back</dt>
      <dd>
        by {mark.by} to <code>{mark.to}</code>, redrive {mark.redrive}
      </dd>
      {mark.edited !== null && (
        <>
          <dt>Original</dt>
          <dd>
            <pre>
              {mark.original?.key ?? "null"}: {mark.original?.value ?? "null"}
            </pre>
          </dd>
          <dt>Edited</dt>
          <dd>
            <pre>
              {mark.edited.key ?? "null"}: {mark.edited.value ?? "null"}
            </pre>
          </dd>
        </>
      )}
    </dl>
  );
}
