import { useId, type ReactNode } from "react";
import type { Issue } from "../../api/types";
import { wordIssue } from "../../editor/checking/wording";
import { Prose } from "../../ui/messages/Prose";
import { ValueControl, type CellAria } from "./controls";
import type { Field, Kind } from "./fields";
import { isOpen } from "../../editor/checking/fresh";
import { markInvalid } from "./placing";
import { useForm } from "./FormContext";
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

interface PlainFieldProps {
  readonly field: Field;
  readonly issues: readonly Issue[];
  readonly value: unknown;
  /** Undefined empties the field. */
  readonly change: (value: unknown) => void;
}

/** Short controls go beside their label. Several controls share it as their name. */
const LOOKS: Partial<Record<Kind, "above" | "group">> = { text: "above", segments: "group" };

/** A field with one plain value. */
export function PlainField({ field, issues, value, change }: PlainFieldProps) {
  return (
    <FieldFrame field={field} path={field.name} issues={issues} look={LOOKS[field.kind] ?? "beside"}>
      {(aria) => <ValueControl field={field} path={field.name} value={value} change={change} aria={aria} />}
    </FieldFrame>
  );
}

interface IssueLinesProps {
  readonly id?: string;
  readonly issues: readonly Issue[];
  /** Replaces the default fix, which changes the checked text of the field. */
  readonly fix?: (issue: Issue) => void;
}

/** The problem, the next step, and a button if one click fixes it. */
export function IssueLines({ id, issues, fix }: IssueLinesProps) {
  const form = useForm();
  return (
    <ul id={id} className="issue-lines">
      {issues.map((issue, index) => (
        <li key={index} className={chooseLook(issue)}>
          <Words issue={issue} />
          {issue.fix !== null && (
            <button type="button" onClick={() => (fix ?? form.fix)(issue)}>
              <Prose text={issue.fix.label} />
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}

function chooseLook(issue: Issue): string {
  if (issue.level === "hint") return "quiet";
  return issue.level === "warning" || isOpen(issue) ? "open" : "wrong";
}

/** The help of a field, which an empty or wrong one has as its hint, stands below it. */
function Words({ issue }: { readonly issue: Issue }) {
  const { message, hint } = wordIssue(issue);
  const isHelp = issue.code === "field.missing" || issue.code === "field.invalid";
  return (
    <>
      <Prose text={message} />
      {!isHelp && (
        <span className="quiet">
          {" "}
          <Prose text={hint} />
        </span>
      )}
    </>
  );
}
