import { useState } from "react";
import { connect, makeEdgeKey, remove } from "../editor/document/document";
import { describeSource, listFeedings, type Feeding } from "../editor/edges/feeding";
import { useDocumentActions, useEditing } from "../editor/interface/useEditor";
import type { Graph } from "../api/types";
import { RowButton } from "./form/RowButtons";
import "./EdgesPart.css";

interface Props {
  readonly id: string;
  readonly graph: Graph;
}

/** Sets the edges into each input of a node without a pointer. Opening it looks for possible ones. */
export function EdgesPart({ id, graph }: Props) {
  const { rules } = useEditing();
  const [isOpen, open] = useState(false);
  return (
    <details className="part edges" onToggle={({ currentTarget }) => open(currentTarget.open)}>
      <summary>Incoming edges</summary>
      {isOpen &&
        listFeedings(id, graph, rules).map((each) => <InputEdges key={each.port} feeding={each} graph={graph} />)}
    </details>
  );
}

interface InputProps {
  readonly feeding: Feeding;
  readonly graph: Graph;
}

function InputEdges({ feeding: { port, edges, choices }, graph }: InputProps) {
  const { rules } = useEditing();
  const { edit } = useDocumentActions();
  return (
    <div className="input" role="group" aria-label={`Input ${port}`}>
      <code>{port}</code>
      <ul>
        {edges.map((edge) => (
          <li key={makeEdgeKey(edge)}>
            {describeSource(edge, graph, rules)}
            <RowButton
              label={`Remove the edge from ${describeSource(edge, graph, rules)}`}
              icon="close"
              press={() => edit(remove(new Set(), new Set([makeEdgeKey(edge)])))}
            />
          </li>
        ))}
      </ul>
      {choices.length > 0 && (
        <select
          aria-label={`Feed ${port} from`}
          value=""
          onChange={({ target }) => edit(connect(...choices.filter((edge) => makeEdgeKey(edge) === target.value)))}
        >
          <option value="">Add an edge from…</option>
          {choices.map((edge) => (
            <option key={makeEdgeKey(edge)} value={makeEdgeKey(edge)}>
              {describeSource(edge, graph, rules)}
            </option>
          ))}
        </select>
      )}
      {edges.length + choices.length === 0 && <p className="quiet">No node can feed this input yet.</p>}
    </div>
  );
}
