import { connect, makeEdgeKey } from "../editor/document/document";
import { describeSource, listFeedings } from "../editor/edges/feeding";
import { useDocumentActions, useEditing } from "../editor/interface/useEditor";
import type { Graph, GraphEdge } from "../api/types";
import { addSourceBefore, type Addition } from "../editor/edits/adding";
import { listInputs } from "../editor/graph/ports";
import { Button } from "../ui/controls/Button";
import "./UnfedPart.css";

interface Props {
  readonly id: string;
  readonly graph: Graph;
}

/** A longer list would need a search: Incoming edges has it. */
const MAX_OFFERED = 6;

/** Unfed inputs, and what could feed them. A click adds the edge, and for a topic also a node that reads it. */
export function UnfedPart({ id, graph }: Props) {
  const { rules, store, ui } = useEditing();
  const { edit } = useDocumentActions();
  const node = graph.nodes.find((one) => one.id === id);
  const fedPorts = new Set(graph.edges.filter(({ target }) => target === id).map(({ target_port }) => target_port));
  // looks for possible edges only if an input is open: the search takes long in a large graph
  if (listInputs(node, rules.operators).every(({ name }) => fedPorts.has(name))) return null;
  const gaps = listFeedings(id, graph, rules).filter(({ port }) => !fedPorts.has(port));
  const readIds = new Set(graph.edges.map(({ source }) => source));
  const readers = [...rules.operators.values()].filter(({ topic_use }) => topic_use === "reads");
  const addSource = ({ edit: addNode, id: added }: Addition) => {
    edit(addNode);
    ui.getState().select([added]);
  };
  return gaps.map(({ port, choices }) => {
    const sources = readers.flatMap(({ name }) => {
      const addition = addSourceBefore(id, port, name, store.getState().document, rules);
      return addition === null ? [] : [{ name, addition }];
    });
    return (
      <div key={port} className="unfed-part" role="group" aria-label={`Unfed input ${port}`}>
        <p>
          Nothing feeds <code>{port}</code> yet.{" "}
          {choices.length + sources.length === 0 ? "Add a node that can." : "Feed it from:"}
        </p>
        {sortOffers(choices, readIds).map((edge) => (
          <Button key={makeEdgeKey(edge)} onClick={() => edit(connect(edge))}>
            {describeSource(edge, graph, rules)}
          </Button>
        ))}
        {sources.map(({ name, addition }) => (
          <Button key={name} onClick={() => addSource(addition)}>
            a topic, as {name}
          </Button>
        ))}
      </div>
    );
  });
}

/** The newest nodes first whose output nobody reads yet: they are what is most likely meant. */
function sortOffers(choices: readonly GraphEdge[], readIds: ReadonlySet<string>): readonly GraphEdge[] {
  const isRead = ({ source }: GraphEdge) => Number(readIds.has(source));
  return choices.toReversed().toSorted((one, other) => isRead(one) - isRead(other)).slice(0, MAX_OFFERED);
}
