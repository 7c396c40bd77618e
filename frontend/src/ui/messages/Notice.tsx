import type { ReactNode } from "react";
import type { Refusal } from "../../api/refusal";
import type { Note } from "../../api/types";
import { Icon } from "../icons/Icon";
import { Prose } from "./Prose";
import "./Notice.css";

interface Props {
  readonly tone: "bad" | "warn" | "info";
  readonly title: string;
  readonly children?: ReactNode;
  /** A button or two: the next step. */
  readonly action?: ReactNode;
}

/** Something that the reader should know now, and the next step. */
export function Notice({ tone, title, children, action }: Props) {
  return (
    <div className={`notice ${tone}`} role={tone === "bad" ? "alert" : "status"}>
      <Icon name={tone === "info" ? "note" : "warning"} size={16} />
      <div className="text">
        <strong>
          <Prose text={title} />
        </strong>
        {children}
      </div>
      {action}
    </div>
  );
}

/** The title of notes on a description. */
export const DESCRIBED = "The text leaves some details open. Check these nodes:";

interface OpenProps {
  readonly title: string;
  readonly notes: readonly Note[];
}

/** The open questions about nodes, one per line. */
export function OpenNotice({ title, notes }: OpenProps) {
  return (
    <Notice tone="info" title={title}>
      <ul>
        {notes.map(({ node, message }, index) => (
          <li key={index}>
            <code className="node">{node}</code>
            <Prose text={message} />
          </li>
        ))}
      </ul>
    </Notice>
  );
}

/** A refusal in the server's words: the reason, the next step, and each issue on its node. */
export function RefusalNotice({ refusal, action }: { readonly refusal: Refusal; readonly action?: ReactNode }) {
  const { issues = [] } = refusal.details;
  return (
    <Notice tone="bad" title={refusal.message} action={action}>
      {refusal.hint !== "" && (
        <p>
          <Prose text={refusal.hint} />
        </p>
      )}
      {issues.length > 0 && (
        <ul>
          {issues.map((issue, index) => (
            <li key={index}>
              {issue.node !== null && <code className="node">{issue.node}</code>}
              <Prose text={`${issue.message} ${issue.hint}`} />
            </li>
          ))}
        </ul>
      )}
    </Notice>
  );
}
