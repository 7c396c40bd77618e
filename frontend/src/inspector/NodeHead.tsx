import type { GraphNode, Operator } from "../api/types";
import { bypass } from "../editor/document/document";
import { useDocumentActions } from "../editor/interface/useEditor";
import { nameKindClass, type Kind } from "../editor/graph/kinds";
import { OperatorIcon } from "../ui/icons/OperatorIcon";
import { Prose } from "../ui/messages/Prose";
import { NameField } from "./NameField";
import { splitParagraphs } from "./splitParagraphs";
import "./NodeHead.css";

interface Props {
  readonly node: GraphNode;
  readonly selection: number;
  readonly operator: Operator | undefined;
  readonly kind: Kind;
  readonly isReadOnly: boolean;
}

/** The node's name, and the description of its operator. */
export function NodeHead({ node, selection, operator, kind, isReadOnly }: Props) {
  const [brief = "", ...more] = splitParagraphs(operator?.help ?? "");
  return (
    <header className={`part node-head ${nameKindClass(kind)}`}>
      <p className="kind">
        <OperatorIcon name={operator?.icon} />
        <code>{node.operator}</code>
        {operator?.family !== node.operator && <span className="quiet">{operator?.family}</span>}
      </p>
      {isReadOnly ? <h2 className="title">{node.id}</h2> : <NameField key={selection} id={node.id} />}
      {node.bypassed === true && <BypassNote id={node.id} isReadOnly={isReadOnly} />}
      <p className="lead">
        <Prose text={brief} />
      </p>
      {more.length > 0 && (
        <details key={node.operator}>
          <summary>More</summary>
          {more.map((text, index) => (
            <p key={index} className="lead">
              <Prose text={text} />
            </p>
          ))}
        </details>
      )}
    </header>
  );
}

function BypassNote({ id, isReadOnly }: { readonly id: string; readonly isReadOnly: boolean }) {
  const { edit } = useDocumentActions();
  return (
    <p className="bypass-note">
      Bypassed: records pass this node unchanged.{" "}
      {!isReadOnly && (
        <button type="button" className="link" onClick={() => edit(bypass(new Set([id]), false))}>
          Use again
        </button>
      )}
    </p>
  );
}
