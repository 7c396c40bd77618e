import { useEffect, useRef, type ComponentType } from "react";
import { findFreeName, toSingular } from "../../editor/edits/configuring";
import { formatAmount } from "../../ui/text/format";
import { Icon } from "../../ui/icons/Icon";
import { FieldFrame } from "../form/FieldFrame";
import type { Field, FieldView, Values } from "../form/fields";
import { useForm, useIssuesAt } from "../form/FormContext";
import { findValue, listRows, listValues, move } from "../form/paths";
import { Row } from "./Row";
import { ValueRow } from "./ValueRow";
import "./RowsField.css";

interface Props {
  readonly field: Field;
  readonly values: Values;
  /** Draws a field of a row below its line. */
  readonly Inner: ComponentType<{ readonly view: FieldView; readonly values: Values }>;
}

const FIRST_CONTROL = "li:last-child :is(input, select, [contenteditable='true'])";

/** A list of plain values, or of small forms with all fields in each row. */
export function RowsField({ field, values, Inner }: Props) {
  const { node, portLists, change } = useForm();
  const issues = useIssuesAt(field.name);
  const value = findValue(node.config, field.name);
  const rows = field.kind === "values" ? listValues(value) : listRows(value);
  const list = useRef<HTMLUListElement>(null);
  const hasAdded = useRef(false);
  const one = toSingular(field.label);

  useEffect(() => {
    if (!hasAdded.current) return;
    hasAdded.current = false;
    const control = list.current?.querySelector<HTMLElement>(FIRST_CONTROL);
    control?.focus();
    if (control instanceof HTMLInputElement && control.type === "text") control.select();
  }, [rows.length]);

  const become = (rows: readonly unknown[]) => change(field.name, rows.length === 0 ? undefined : rows);
  const fresh = () => {
    if (field.kind === "values") return "";
    return portLists.has(field.name) ? { name: findFreeName(field.name, rows) } : {};
  };
  const rowActions = (index: number) => ({
    isLast: index === rows.length - 1,
    move: (by: -1 | 1) => become(move(rows, index, by)),
    remove: () => become(rows.filter((_, at) => at !== index)),
  });
  const [item] = field.columns;
  const amount = formatAmount(rows.length, one.toLowerCase());
  const aside = rows.length === 0 ? undefined : <span className="quiet number">{amount}</span>;
  return (
    <FieldFrame field={field} path={field.name} issues={issues} look="group" aside={aside}>
      {(aria) => (
        <div className="rows" role="group" aria-labelledby={aria["aria-labelledby"]}>
          {rows.length > 0 && (
            <ul ref={list}>
              {field.kind === "values" && item !== undefined
                ? rows.map((value, index) => (
                    <ValueRow
                      key={index}
                      field={item}
                      value={value}
                      path={`${field.name}.${index}`}
                      label={`${one} ${index + 1}`}
                      isFirst={index === 0}
                      {...rowActions(index)}
                    />
                  ))
                : listRows(rows).map((row, index) => (
                    <Row
                      key={index}
                      field={field}
                      row={row}
                      index={index}
                      values={values}
                      Inner={Inner}
                      {...rowActions(index)}
                    />
                  ))}
            </ul>
          )}
          <button
            type="button"
            className="small-button"
            onClick={() => {
              hasAdded.current = true;
              become([...rows, fresh()]);
            }}
          >
            <Icon name="add" size={12} />
            Add {one.toLowerCase()}
          </button>
        </div>
      )}
    </FieldFrame>
  );
}
