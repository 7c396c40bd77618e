import { useEffect, useRef } from "react";
import type { Config } from "../../editor/document";
import { counted } from "../../numbers/format";
import { Icon } from "../../parts/Icon";
import { FieldFrame } from "./FieldFrame";
import type { Field } from "./fields";
import { useForm, useIssuesAt } from "./FormContext";
import { moved, rowsIn } from "./paths";
import { Row } from "./Row";
import "./RowsField.css";

/** A list of small forms: each row is one, with all its fields. */
export function RowsField({ field }: { readonly field: Field }) {
  const { node, change } = useForm();
  const issues = useIssuesAt(field.name);
  const rows = rowsIn(node.config[field.name]);
  const list = useRef<HTMLUListElement>(null);
  const added = useRef(false);
  const one = field.label.replace(/s$/, "").toLowerCase();

  useEffect(() => {
    if (!added.current) return;
    added.current = false;
    list.current?.querySelector<HTMLElement>("li:last-child input, li:last-child select")?.focus();
  }, [rows.length]);

  const become = (rows: readonly Config[]) => change(field.name, rows.length === 0 ? undefined : rows);
  const aside = rows.length === 0 ? undefined : <span className="quiet number">{counted(rows.length, one)}</span>;
  return (
    <FieldFrame field={field} path={field.name} issues={issues} look="group" aside={aside}>
      {(aria) => (
        <div className="rows" role="group" aria-labelledby={aria["aria-labelledby"]}>
          {rows.length > 0 && (
            <ul ref={list}>
              {rows.map((row, index) => (
                <Row
                  key={index}
                  field={field}
                  row={row}
                  index={index}
                  last={index === rows.length - 1}
                  move={(by) => become(moved(rows, index, by))}
                  remove={() => become(rows.filter((_, at) => at !== index))}
                />
              ))}
            </ul>
          )}
          <button
            type="button"
            className="small-button"
            onClick={() => {
              added.current = true;
              become([...rows, {}]);
            }}
          >
            <Icon name="add" size={12} />
            Add {one}
          </button>
        </div>
      )}
    </FieldFrame>
  );
}
