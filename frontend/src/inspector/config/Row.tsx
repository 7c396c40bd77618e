import type { ComponentType } from "react";
import type { Config } from "../../editor/document/document";
import { ExpressionField } from "../expression/ExpressionField";
import { collectRowValues, listFieldViews, type Field, type Kind, type FieldView, type Values } from "../form/fields";
import { useForm, useIssuesAt } from "../form/FormContext";
import { IssueLines } from "../form/FieldFrame";
import { markInvalid } from "../form/placing";
import { RowButton, RowMoves } from "../form/RowButtons";
import { Fold } from "./Fold";
import { ValueControl } from "../form/controls";

interface Props {
  readonly field: Field;
  readonly row: Config;
  readonly index: number;
  /** Values of the fields of the form around it. */
  readonly values: Values;
  readonly Inner: ComponentType<{ readonly view: FieldView; readonly values: Values }>;
  readonly isLast: boolean;
  readonly move: (by: -1 | 1) => void;
  readonly remove: () => void;
}

/** Kinds that fit into the line of a row. All others go below it. */
const SHORT: ReadonlySet<Kind> = new Set(["text", "topic", "number", "choice", "segments"]);
/** A line has room only for a drop-down list, not for the examples of a topic. */
const IN_LINE: Partial<Record<Kind, Kind>> = { segments: "choice", topic: "text" };

/**
 * One row: short values in a line, other fields below at full width. The buttons come last in the
 * order of Tab, so that Enter after a name does not remove the row.
 */
export function Row({ field, row, index, values, Inner, isLast, move, remove }: Props) {
  const name = typeof row.name === "string" ? row.name : String(index + 1);
  const around = collectRowValues(field.columns, row, values);
  const views = listFieldViews(field.columns, row, around);
  const isShort = (one: FieldView) => one.isUsed && SHORT.has(one.field.kind);
  const short = views.filter(isShort).map((one) => one.field);
  const long = views.filter((one) => !isShort(one));
  const path = (column: Field) => `${field.name}.${index}.${column.name}`;
  const more = long.filter(({ isMore }) => isMore);
  const draw = ({ field: column, isUsed, isMore }: FieldView) => {
    const label = nameCell(column, index);
    if (isUsed && column.kind === "expression") {
      return <ExpressionField key={column.name} field={column} path={path(column)} label={label} />;
    }
    const inner = { ...column, name: path(column), label };
    return <Inner key={column.name} view={{ field: inner, isUsed, isMore }} values={around} />;
  };
  return (
    <li>
      <div className="line">
        {short.map((column) => (
          <Cell key={column.name} column={column} row={row} path={path(column)} index={index} />
        ))}
      </div>
      {short.map((column) => (
        <CellIssues key={column.name} path={path(column)} />
      ))}
      {long.filter(({ isMore }) => !isMore).map(draw)}
      {more.length > 0 && (
        <Fold isOpen={more.some(({ field: { name } }) => row[name] !== undefined)}>{more.map(draw)}</Fold>
      )}
      <RowMoves name={name} isFirst={index === 0} isLast={isLast} move={move} />
      <span className="remove">
        <RowButton label={`Remove ${name}`} icon="close" press={remove} />
      </span>
    </li>
  );
}

interface CellProps {
  readonly column: Field;
  readonly row: Config;
  readonly path: string;
  readonly index: number;
}

/** One value of the line. A name or a function explains itself, but a number needs its label. */
function Cell({ column, row, path, index }: CellProps) {
  const { change } = useForm();
  const issues = useIssuesAt(path);
  const aria = {
    id: path,
    "aria-label": nameCell(column, index),
    "aria-describedby": issues.length > 0 ? `${path}-issues` : undefined,
    "aria-invalid": markInvalid(issues),
    "aria-required": column.isRequired || undefined,
  };
  return (
    <div className="cell" data-field={path}>
      {column.kind === "number" && <label htmlFor={path}>{column.label}</label>}
      <ValueControl
        field={{
          ...column,
          kind: IN_LINE[column.kind] ?? column.kind,
          whenEmpty: column.whenEmpty || column.label.toLowerCase(),
        }}
        path={path}
        value={row[column.name]}
        change={(value) => change(path, value)}
        aria={aria}
      />
    </div>
  );
}

function CellIssues({ path }: { readonly path: string }) {
  const issues = useIssuesAt(path);
  return issues.length === 0 ? null : <IssueLines id={`${path}-issues`} issues={issues} />;
}

/** "Name 2": the label of a cell is its column and the number of its row. */
function nameCell(column: Field, index: number): string {
  return `${column.label} ${index + 1}`;
}
