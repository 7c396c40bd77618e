import { useMemo, useState } from "react";
import type { TableRow } from "../../api/types";
import { count, countOf } from "../../numbers/format";
import { distributionOf, fieldNames } from "./distribution";
import "./Distribution.css";

/** How often each value of a field occurs among the rows at hand; of none until one is chosen. */
export function Distribution({ rows }: { readonly rows: readonly TableRow[] }) {
  const [chosen, setChosen] = useState("");
  const names = useMemo(() => fieldNames(rows), [rows]);
  const found = useMemo(() => (chosen === "" ? null : distributionOf(rows, chosen)), [rows, chosen]);
  if (names.length === 0) return null;
  return (
    <div className="controls distribution">
      <label className="choice">
        Values of
        <select value={chosen} onChange={(event) => setChosen(event.target.value)}>
          <option value="">no field</option>
          {[...new Set([...names, chosen])].filter(Boolean).map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      {found !== null && (
        <>
          <span className="quiet">in the {countOf(rows.length, "row")} loaded:</span>
          <ul aria-label={`Values of ${chosen}`}>
            {found.top.map(({ value, count: rowsOfIt }) => (
              <li key={value}>
                <code title={value}>{value}</code> <span className="number">× {count(rowsOfIt)}</span>
              </li>
            ))}
            {found.others > 0 && (
              <li className="quiet">
                others <span className="number">× {count(found.others)}</span>
              </li>
            )}
          </ul>
        </>
      )}
    </div>
  );
}
