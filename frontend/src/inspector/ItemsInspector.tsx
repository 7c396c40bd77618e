import { listArrangements } from "../editor/edits/arranging";
import { makeEdgeKey } from "../editor/document/document";
import { removeAndRejoin } from "../editor/edits/removing";
import { useDocumentActions, useEditing, useInterfaceActions } from "../editor/interface/useEditor";
import type { GraphEdge, GraphNode, GraphNote } from "../api/types";
import { findTitle } from "../editor/edits/notes";
import { formatAmount } from "../ui/text/format";
import { Button } from "../ui/controls/Button";
import { ColourChoice } from "./ColourChoice";

interface Props {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  readonly notes: readonly GraphNote[];
  readonly isReadOnly: boolean;
}

/** The size of the selection, and its actions. */
export function ItemsInspector({ nodes, edges, notes, isReadOnly }: Props) {
  const editing = useEditing();
  const { edit } = useDocumentActions();
  const { select } = useInterfaceActions();
  const ids = new Set([...nodes, ...notes].map(({ id }) => id));
  const remove = () => {
    edit(removeAndRejoin(ids, new Set(edges.map(makeEdgeKey)), editing.rules));
    select([]);
  };
  return (
    <>
      <header className="part">
        <h2 className="title number">{describeSelection(nodes.length, notes.length, edges.length)}</h2>
        <p className="lead">
          {isReadOnly
            ? "Select one to see its settings."
            : "Drag one to move them all. Use the keyboard to copy, cut or duplicate them."}
        </p>
      </header>
      {!isReadOnly && (
        <div className="part several">
          {listArrangements(editing).map(({ word, act }) => (
            <Button key={word} onClick={act}>
              {word}
            </Button>
          ))}
          {ids.size > 0 && <ColourChoice ids={ids} colour={null} />}
          <Button look="danger" onClick={remove}>
            Remove all
          </Button>
          <Button onClick={() => select([])}>Select none</Button>
        </div>
      )}
      <section className="part" aria-label="Selected">
        <ul className="selection">
          {nodes.map(({ id, operator }) => (
            <li key={id}>
              <button type="button" className="link" onClick={() => select([id])}>
                {id}
              </button>{" "}
              <code className="quiet">{operator}</code>
            </li>
          ))}
          {notes.map((note) => (
            <li key={note.id}>
              <button type="button" className="link" onClick={() => select([note.id])}>
                {findTitle(note)}
              </button>
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}

function describeSelection(nodes: number, notes: number, edges: number): string {
  const counts = [[nodes, "node"], [notes, "note"], [edges, "edge"]] as const;
  const parts = counts.filter(([count]) => count > 0).map(([count, word]) => formatAmount(count, word));
  return `${parts.join(" and ")} selected`;
}
