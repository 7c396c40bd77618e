import { connect, makeEdgeKey } from "../editor/document/document";
import { describeSource, listFeedings } from "../editor/edges/feeding";
import { useDocumentActions, useEditing } from "../editor/interface/useEditor";
import type { Graph } from "../api/types";
import { listInputs } from "../graph/ports";
import { Button } from "../parts/controls/Button";
import "./UnfedPart.css";

interface Props {
  readonly id: string;
  readonly graph: Graph;
}

/** More would be a list to search: Incoming edges has it. */
const MAX_OFFERED = 6;

/** The inputs that nothing feeds yet, and what could: a click joins it. */
export function UnfedPart({ id, graph }: Props) {
  const { rules } = useEditing();
  const { edit } = useDocumentActions();
  const node = graph.nodes.find((one) => one.id === id);
  const fedPorts = new Set(graph.edges.filter(({ target }) => target === id).map(({ target_port }) => target_port));
  // what could feed an input is looked up only where one is open: it takes long in a large graph
  if (listInputs(node, rules.operators).every(({ name }) => fedPorts.has(name))) return null;
  const gaps = listFeedings(id, graph, rules).filter(({ port }) => !fedPorts.has(port));
  return gaps.map(({ port, choices }) => (
    <div key={port} className="unfed-part" role="group" aria-label={`Unfed input ${port}`}>
      <p>
        Nothing feeds <code>{port}</code> yet. {choices.length === 0 ? "Add a node that can." : "Feed it from:"}
      </p>
      {choices.slice(-MAX_OFFERED).map((edge) => (
        <Button key={makeEdgeKey(edge)} onClick={() => edit(connect(edge))}>
          {describeSource(edge, graph, rules)}
        </Button>
      ))}
    </div>
  ));
}
