import type { Field } from "../form/fields";
import { useForm, useIssuesAt } from "../form/FormContext";
import { IssueLines } from "../form/FieldFrame";
import { markInvalid } from "../form/placing";
import { RowButton, RowMoves } from "../form/RowButtons";
import { ValueControl } from "../form/controls";

interface Props {
  readonly field: Field;
  readonly value: unknown;
  readonly path: string;
  /** Its label: "Topic 2". */
  readonly label: string;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly move: (by: -1 | 1) => void;
  readonly remove: () => void;
}

/** One value of a list. */
export function ValueRow({ field, value, path, label, isFirst, isLast, move, remove }: Props) {
  const { change } = useForm();
  const issues = useIssuesAt(path);
  const aria = {
    id: path,
    "aria-label": label,
    "aria-describedby": issues.length > 0 ? `${path}-issues` : undefined,
    "aria-invalid": markInvalid(issues),
    "aria-required": undefined,
  };
  return (
    <li>
      <div className="line">
        <div className="cell" data-field={path}>
          <ValueControl
            field={{ ...field, label, whenEmpty: label.toLowerCase() }}
            path={path}
            value={value}
            change={(value) => change(path, value ?? "")}
            aria={aria}
          />
        </div>
        <RowButton label={`Remove ${label}`} icon="close" press={remove} />
      </div>
      {issues.length > 0 && <IssueLines id={`${path}-issues`} issues={issues} />}
      <RowMoves name={label} isFirst={isFirst} isLast={isLast} move={move} />
    </li>
  );
}
