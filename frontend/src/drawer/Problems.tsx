import type { ReactNode } from "react";
import type { Issue } from "../api/types";
import { applyFix } from "../editor/checking/fixing";
import { isLooseEnd } from "../editor/checking/fresh";
import { wordIssue } from "../editor/checking/wording";
import { useDocument, useDocumentActions, useInterfaceActions } from "../editor/interface/useEditor";
import { useLive } from "../live/LiveContext";
import { CauseDetails } from "../ui/messages/CauseDetails";
import { findProblem } from "../live/problem";
import { Button } from "../ui/controls/Button";
import { Prose } from "../ui/messages/Prose";
import "./Problems.css";

/** Problems that prevent a deploy or stop the job, and hints below. A click goes to the node and its field. */
export function Problems() {
  const issues = useDocument((editor) => editor.issues);
  const hints = useDocument((editor) => editor.hints);
  const jobStatus = useLive(({ state }) => state?.jobStatus ?? null);
  const problem = jobStatus === null ? null : findProblem(jobStatus);
  if (issues === null && problem === null) return <p className="nothing">Checking …</p>;
  const looseEnds = issues?.filter(isLooseEnd) ?? [];
  const others = issues?.filter((issue) => !isLooseEnd(issue));
  return (
    <>
      {problem === null && issues?.length === 0 && <p className="nothing">No problems.</p>}
      <ul className="problem-list" aria-label="Problems">
        {problem !== null && (
          <Problem of="job" node={problem.node ?? null} field={null} message={problem.message} hint={problem.hint}>
            <CauseDetails cause={problem} />
          </Problem>
        )}
        {others?.map((issue) => <IssueOfGraph key={nameIssue(issue)} issue={issue} />)}
      </ul>
      {looseEnds.length > 0 && <Section title="To draw before a deploy" issues={looseEnds} />}
      {hints.length > 0 && <Section title="Hints" issues={hints} />}
    </>
  );
}

interface SectionProps {
  readonly title: string;
  readonly issues: readonly Issue[];
}

/** What is no problem now. */
function Section({ title, issues }: SectionProps) {
  return (
    <>
      <h3 className="hints-title">{title}</h3>
      <ul className="problem-list" aria-label={title}>
        {issues.map((issue) => (
          <IssueOfGraph key={nameIssue(issue)} issue={issue} />
        ))}
      </ul>
    </>
  );
}

function nameIssue({ node, field, code, message }: Issue): string {
  return `${node} ${field} ${code} ${message}`;
}

function IssueOfGraph({ issue }: { readonly issue: Issue }) {
  return (
    <Problem of="graph" {...issue} {...wordIssue(issue)}>
      <FixButton issue={issue} />
    </Problem>
  );
}

interface Props extends Pick<Issue, "node" | "field" | "message" | "hint"> {
  readonly of: "job" | "graph";
  readonly children: ReactNode;
}

function Problem({ of, node, field, message, hint, children }: Props) {
  const { goTo } = useInterfaceActions();
  const words = (
    <>
      {of === "job" && <span className="whose">Job</span>}
      {node !== null && <code className="node">{node}</code>}
      <span className="message">
        <Prose text={message} />
      </span>{" "}
      <span className="quiet">
        <Prose text={hint} />
      </span>
    </>
  );
  return (
    <li className={`of-${of}`}>
      {node === null ? (
        <p className="place">{words}</p>
      ) : (
        <button type="button" className="place" onClick={() => goTo(node, field)}>
          {words}
        </button>
      )}
      {children}
    </li>
  );
}

function FixButton({ issue }: { readonly issue: Issue }) {
  const { edit } = useDocumentActions();
  const { goTo } = useInterfaceActions();
  if (issue.fix === null || issue.node === null) return null;
  const node = issue.node;
  const fix = () => {
    edit((document) => applyFix(document, issue));
    goTo(node, issue.field);
  };
  return (
    <Button onClick={fix}>
      <span>
        <Prose text={issue.fix.label} />
      </span>
    </Button>
  );
}
