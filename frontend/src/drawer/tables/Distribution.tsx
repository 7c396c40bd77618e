import { useMemo, useState } from "react";
import type { TableRow } from "../../api/types";
import { formatAmount, formatCount } from "../../ui/text/format";
import { computeDistribution, listFieldNames } from "./distribution";
import "./Tables.css";

/** How often each value of a field occurs in the loaded rows. Empty until the user chooses a field. */
export function Distribution({ rows }: { readonly rows: readonly TableRow[] }) {
  const [field, setField] = useState("");
  const names = useMemo(() => listFieldNames(rows), [rows]);
  const distribution = useMemo(() => (field === "" ? null : computeDistribution(rows, field)), [rows, field]);
  if (names.length === 0) return null;
  return (
    <div className="controls distribution">
      <label className="choice">
        Values of
        <select value={field} onChange={(event) => setField(event.target.value)}>
          <option value="">no field</option>
          {[...new Set([...names, field])].filter(Boolean).map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      {distribution !== null && (
        <>
          <span className="quiet">in the {formatAmount(rows.length, "row")} loaded:</span>
          <ul aria-label={`Values of ${field}`}>
            {distribution.top.map(({ value, count: rowsOfIt }) => (
              <li key={value}>
                <code title={value}>{value}</code> <span className="number">× {formatCount(rowsOfIt)}</span>
              </li>
            ))}
            {distribution.others > 0 && (
              <li className="quiet">
                others <span className="number">× {formatCount(distribution.others)}</span>
              </li>
            )}
          </ul>
        </>
      )}
    </div>
  );
}
