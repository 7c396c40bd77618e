import { useId, useMemo, useState } from "react";
import type { Issue } from "../../api/types";
import { Prose } from "../../ui/messages/Prose";
import { FieldFrame, IssueLines } from "../form/FieldFrame";
import type { Field } from "../form/fields";
import { useForm, useIssuesAt } from "../form/FormContext";
import { markInvalid } from "../form/placing";
import { findValue, readText } from "../form/paths";
import { ExpressionBox } from "./ExpressionBox";
import { describeNote, describeResult, mergeIssues } from "./textCheck";
import { useTextCheck } from "./useTextCheck";

interface Props {
  readonly field: Field;
  readonly path: string;
  /** The name of a cell in a row, which has no visible label. */
  readonly label?: string;
}

const NONE: readonly Issue[] = [];

/** An expression with its result type or its issues while the user types. */
export function ExpressionField({ field, path, label }: Props) {
  const { node, change } = useForm();
  const text = readText(findValue(node.config, path));
  const check = useTextCheck(node.id, path, text);
  const ownIssues = useIssuesAt(path);
  const [isCompleting, setCompleting] = useState(false);
  // a word under way is not wrong yet
  const issues = useMemo(
    () => (isCompleting ? NONE : mergeIssues(check, text, ownIssues)),
    [isCompleting, check, text, ownIssues],
  );
  const result = describeResult(check, text);
  const note = describeNote(check, text);
  const id = useId();

  const box = {
    text,
    check,
    issues,
    change: (text: string) => change(path, text === "" ? undefined : text),
    onCompleting: setCompleting,
  };
  const fix = (issue: Issue) => box.change(issue.fix?.replacement ?? text);
  if (label === undefined) {
    return (
      <FieldFrame field={field} path={path} issues={issues} aside={<Result words={result} />} fix={fix}>
        {(aria) => (
          <>
            <ExpressionBox {...box} placeholder={field.whenEmpty} aria={aria} />
            <Note words={note} />
          </>
        )}
      </FieldFrame>
    );
  }
  const aria = {
    id,
    "aria-label": label,
    "aria-describedby": issues.length > 0 ? `${id}-issues` : undefined,
    "aria-invalid": markInvalid(issues),
    "aria-required": field.isRequired || undefined,
  } as const;
  return (
    <div data-field={path}>
      <ExpressionBox {...box} placeholder={field.label.toLowerCase()} aria={aria} aside={<Result words={result} />} />
      <Note words={note} />
      {issues.length > 0 && <IssueLines id={`${id}-issues`} issues={issues} fix={fix} />}
    </div>
  );
}

function Note({ words }: { readonly words: string }) {
  if (words === "") return null;
  return (
    <p className="help">
      <Prose text={words} />
    </p>
  );
}

function Result({ words }: { readonly words: string }) {
  return <output className="expression-result">{words === "" ? "" : `→ ${words}`}</output>;
}
