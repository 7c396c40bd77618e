import type { Issue } from "../../api/types";
import { Prose } from "../../ui/messages/Prose";
import { useForm } from "./FormContext";
import { isOpen } from "./placing";
import "./IssueLines.css";

interface Props {
  readonly id?: string;
  readonly issues: readonly Issue[];
  /** Replaces the default fix, which changes the checked text of the field. */
  readonly fix?: (issue: Issue) => void;
}

/** The problem, the next step, and a button if one click fixes it. */
export function IssueLines({ id, issues, fix }: Props) {
  const form = useForm();
  return (
    <ul id={id} className="issue-lines">
      {issues.map((issue, index) => (
        <li key={index} className={isOpen(issue) ? "open" : "wrong"}>
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

/** "the expression" for `functions.0.expression`, or "this" without a field. */
function nameField(field: string | null): string {
  const name = field?.split(".").findLast((step) => !/^\d+$/.test(step));
  return name === undefined ? "this" : `the ${name.replaceAll("_", " ").replace(/^avro\b/, "Avro")}`;
}

function Words({ issue }: { readonly issue: Issue }) {
  if (issue.code === "field.missing") return `Fill in ${nameField(issue.field)}.`;
  return (
    <>
      <Prose text={issue.message} />{" "}
      <span className="quiet">
        <Prose text={issue.hint} />
      </span>
    </>
  );
}
