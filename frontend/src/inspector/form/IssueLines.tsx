import type { Issue } from "../../api/types";
import { Prose } from "../../parts/messages/Prose";
import { useForm } from "./FormContext";
import { isOpen } from "./placing";
import "./IssueLines.css";

interface Props {
  readonly id?: string;
  readonly issues: readonly Issue[];
  /** Fixes an issue instead of its field's text as it was checked. */
  readonly fix?: (issue: Issue) => void;
}

/** What is wrong, what to do next, and a button where one click does it. */
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

/** "the expression" of `functions.0.expression`; "this" where no field is named. */
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
