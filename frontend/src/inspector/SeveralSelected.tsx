import { arrangements } from "../editor/arranging";
import { edgeKey } from "../editor/document";
import { removeAndRejoin } from "../editor/removing";
import { useDocumentActions, useEditing, useInterfaceActions } from "../editor/useEditor";
import type { GraphEdge, GraphNode } from "../api/types";
import { countOf } from "../numbers/format";
import { Button } from "../parts/Button";

interface Props {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  readonly readOnly: boolean;
}

/** How much is selected, and what can be done with all of it. */
export function SeveralSelected({ nodes, edges, readOnly }: Props) {
  const editing = useEditing();
  const { edit } = useDocumentActions();
  const { select } = useInterfaceActions();
  const remove = () => {
    edit(removeAndRejoin(new Set(nodes.map(({ id }) => id)), new Set(edges.map(edgeKey)), editing.rules));
    select([]);
  };
  return (
    <>
      <header className="part">
        <h2 className="title number">{countSelected(nodes.length, edges.length)}</h2>
        <p className="lead">
          {readOnly
            ? "Select one to see its settings."
            : "Drag one to move them all. Use the keyboard to copy, cut or duplicate them."}
        </p>
      </header>
      {!readOnly && (
        <div className="part several">
          {arrangements(editing).map(({ word, act }) => (
            <Button key={word} onClick={act}>
              {word}
            </Button>
          ))}
          <Button look="danger" onClick={remove}>
            Remove all
          </Button>
          <Button onClick={() => select([])}>Select none</Button>
        </div>
      )}
      <section className="part" aria-label="Selected">
        <ul className="selected">
          {nodes.map(({ id, operator }) => (
            <li key={id}>
              <button type="button" className="link" onClick={() => select([id])}>
                {id}
              </button>{" "}
              <code className="quiet">{operator}</code>
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}

function countSelected(nodes: number, edges: number): string {
  const parts = [nodes > 0 ? [countOf(nodes, "node")] : [], edges > 0 ? [countOf(edges, "edge")] : []].flat();
  return `${parts.join(" and ")} selected`;
}
