import { useEditing } from "../../editor/interface/useEditor";
import { formatRecordTime } from "../../ui/text/content";
import type { NodeNumbers } from "../../live/state";
import { formatCount, formatRecordPlace } from "../../ui/text/format";
import { Prose } from "../../ui/messages/Prose";
import { TableHead } from "../../ui/display/TableHead";
import { describeDrops, listCures, listDroppedRows } from "./drops";

/** The reasons for dropped records, with some of them. */
export function DroppedPart({ numbers }: { readonly numbers: NodeNumbers }) {
  const { catalogue } = useEditing();
  const rows = listDroppedRows(numbers);
  return (
    <details className="drops-part">
      <summary>
        <b className="number">{formatCount(numbers.dropped)}</b> dropped: {describeDrops(numbers) || "no reason given"}
      </summary>
      {listCures(numbers, catalogue.cures).map(([reason, cure]) => (
        <p key={reason} className="quiet">
          <b>{reason}</b>: <Prose text={cure} />
        </p>
      ))}
      {rows.length > 0 && (
        <div className="across">
          <table aria-label="Dropped records">
            <TableHead words={["Reason", "Key", "Time", "Record"]} />
            <tbody>
              {rows.map((row, index) => (
                <tr key={index}>
                  <td>{row.reason}</td>
                  <td>{row.key ?? <i className="quiet">null</i>}</td>
                  <td className="number">{formatRecordTime(row.timestamp)}</td>
                  <td className="number">{formatRecordPlace(row)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </details>
  );
}
