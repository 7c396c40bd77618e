import { useId, type ReactNode } from "react";
import type { Issue } from "../../api/types";
import { Prose } from "../../ui/messages/Prose";
import type { CellAria } from "./control";
import type { Field } from "./fields";
import { IssueLines } from "./IssueLines";
import { markInvalid } from "./placing";
import "./FieldFrame.css";

interface Props {
  readonly field: Field;
  readonly path: string;
  readonly issues: readonly Issue[];
  /** Beside: label and a small control in one line. Group: the label belongs to several controls. */
  readonly look?: "above" | "beside" | "group";
  /** Content right of the label. */
  readonly aside?: ReactNode;
  readonly fix?: (issue: Issue) => void;
  readonly children: (aria: CellAria) => ReactNode;
}

/** A field of a form: label, control, help, and issues. */
export function FieldFrame({ field, path, issues, look = "above", aside, fix, children }: Props) {
  const id = useId();
  const descriptions = [field.help === "" ? [] : `${id}-help`, issues.length === 0 ? [] : `${id}-issues`].flat();
  const aria: CellAria = {
    id,
    "aria-labelledby": `${id}-label`,
    "aria-describedby": descriptions.length === 0 ? undefined : descriptions.join(" "),
    "aria-invalid": markInvalid(issues),
    "aria-required": field.isRequired || undefined,
  };
  return (
    <div className={`field ${look}`} data-field={path}>
      <div className="label">
        {look === "group" ? (
          <span id={`${id}-label`}>{field.label}</span>
        ) : (
          <label id={`${id}-label`} htmlFor={id}>
            {field.label}
          </label>
        )}
        {field.isRequired && <small aria-hidden="true">required</small>}
        {aside !== undefined && <span className="aside">{aside}</span>}
      </div>
      <div className="control">{children(aria)}</div>
      {issues.length > 0 && <IssueLines id={`${id}-issues`} issues={issues} {...(fix && { fix })} />}
      {field.help !== "" && (
        <p id={`${id}-help`} className="help">
          <Prose text={field.help} />
        </p>
      )}
    </div>
  );
}
