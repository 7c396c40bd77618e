import type { GraphNode, Operator } from "../../api/types";
import type { Config } from "../../editor/document/document";
import { TypeTree } from "../type/TypeTree";
import type { Type } from "../type/types";
import { formatSpan } from "../form/durations";
import { listFields, type Field, type Kind } from "../form/fields";
import { listRows, listValues } from "../form/paths";
import "./SettingsText.css";

interface Props {
  readonly node: GraphNode;
  readonly operator: Operator;
}

/** Kinds that need the width of the panel. */
const LONG: ReadonlySet<Kind> = new Set(["rows", "values", "code", "schema", "declared-type", "expression"]);

/** The settings of a running node, read only. */
export function SettingsText({ node, operator }: Props) {
  const fields = listFields(operator.form).filter(({ name }) => node.config[name] !== undefined);
  if (fields.length === 0) return <p className="quiet">All settings have their defaults.</p>;
  return (
    <dl className="settings-text">
      {fields.map((field) => (
        <div key={field.name} className={LONG.has(field.kind) ? "long" : undefined}>
          <dt>{field.label}</dt>
          <dd>
            <Value field={field} value={node.config[field.name]} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Value({ field, value }: { readonly field: Field; readonly value: unknown }) {
  if (field.kind === "duration" && typeof value === "number") {
    return <span className="number">{formatSpan(value)}</span>;
  }
  if (field.kind === "declared-type") return <TypeTree type={value as Type} />;
  if (field.kind === "switch") return value === true ? "on" : "off";
  if (field.kind === "values") return <code>{listValues(value).map(String).join(", ")}</code>;
  if (field.kind === "code" || field.kind === "schema") return <pre>{String(value)}</pre>;
  if (field.kind === "rows") return <Rows columns={field.columns} rows={listRows(value)} />;
  return <code>{String(value)}</code>;
}

function Rows({ columns, rows }: { readonly columns: readonly Field[]; readonly rows: readonly Config[] }) {
  return (
    <table>
      <thead className="for-screen-readers">
        <tr>
          {columns.map(({ name, label }) => (
            <th key={name} scope="col">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={index}>
            {columns.map(({ name, kind }) => (
              <td key={name}>{formatValue(row[name], kind)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A value of a row: text as it is, a time span in its unit, and anything else as JSON. */
function formatValue(value: unknown, kind: Kind): string {
  if (value === undefined || value === null) return "";
  if (kind === "duration" && typeof value === "number") return formatSpan(value);
  return typeof value === "string" ? value : JSON.stringify(value);
}
