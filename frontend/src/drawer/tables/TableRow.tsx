import type { MouseEvent, ReactNode } from "react";
import type { TableRow as Row } from "../../api/types";
import { formatRecordTime } from "../../ui/text/content";
import { Content } from "../records/Content";
import { compact, indentJson } from "../../ui/text/json";
import { Opener } from "../records/Opener";
import { formatWindow } from "./rows";

const NULL = "null";

interface Props {
  readonly row: Pick<Row, "window" | "timestamp"> & { readonly key: string | null; readonly value: string | null };
  /** The origin of the row, if it has one. */
  readonly from?: ReactNode;
  /** Actions for an open row. */
  readonly actions?: () => ReactNode;
  readonly isOpen: boolean;
  readonly toggle: () => void;
}

/** One row on one line, with all of it below when open. */
export function TableRow({ row, from, actions, isOpen, toggle }: Props) {
  const { key, window, value, timestamp } = row;
  const handleClick = (event: MouseEvent) => {
    const isSelecting = getSelection()?.isCollapsed === false;
    if (!(event.target instanceof HTMLButtonElement) && !isSelecting) toggle();
  };
  return (
    <>
      <tr className={isOpen ? "open" : undefined} onClick={handleClick}>
        <td>
          <Opener text={compact(key ?? NULL)} isOpen={isOpen} toggle={toggle} />
        </td>
        {window !== null && <td className="number">{formatWindow(window)}</td>}
        <td>
          <Content text={value} isBase64={false} />
        </td>
        <td className="number">{timestamp !== null && formatRecordTime(timestamp)}</td>
        {from !== undefined && <td className="number">{from}</td>}
      </tr>
      {isOpen && (
        <tr className="details">
          <td colSpan={3 + Number(window !== null) + Number(from !== undefined)}>
            <div className="within">
              <dl className="record">
                <dt>Key</dt>
                <dd>
                  <pre>{indentJson(key ?? NULL)}</pre>
                </dd>
                <dt>Value</dt>
                <dd>
                  <pre tabIndex={0} aria-label="Whole value">
                    {indentJson(value ?? NULL)}
                  </pre>
                </dd>
              </dl>
              {actions?.()}
            </div>
          </td>
        </tr>
      )}
    </>
  );
}
