import { makeEdgeKey, remove } from "../editor/document/document";
import { useDocument, useDocumentActions, useEditing, useInterfaceActions } from "../editor/interface/useEditor";
import type { Graph, GraphEdge } from "../api/types";
import { followTypes } from "../editor/graph/ports";
import { useLive } from "../live/LiveContext";
import { chooseNumbers, findEdgeRate } from "../live/rates";
import { formatRate } from "../ui/text/format";
import { Button } from "../ui/controls/Button";
import { KeyBy } from "./KeyBy";
import { SchemaView } from "./facts/SchemaView";
import { useFlows } from "./facts/useFlows";

interface Props {
  readonly edge: GraphEdge;
  readonly graph: Graph;
  readonly isReadOnly: boolean;
}

/** One edge: its type and its rate. */
export function EdgeInspector({ edge, graph, isReadOnly }: Props) {
  const { rules } = useEditing();
  const { edit } = useDocumentActions();
  const { select, openDrawer } = useInterfaceActions();
  const flow = useFlows(graph, isReadOnly)?.[edge.source]?.outputs[edge.source_port];
  const isShuffled = useDocument((editor) => editor.shuffles.has(makeEdgeKey(edge)));
  const live = useLive(({ state }) => state);
  const nodes = chooseNumbers(live)?.nodes;
  const isRun = nodes !== undefined && edge.source in nodes && edge.target in nodes;
  const isOnlyInput = graph.edges.filter(({ target }) => target === edge.target).length === 1;
  const type = flow?.type ?? followTypes(graph, rules.operators).findType(edge.source, edge.source_port);
  return (
    <>
      <header className="part">
        <p className="lead">Edge</p>
        <h2 className="title">
          <button type="button" className="link" onClick={() => select([edge.source])}>
            {edge.source}
          </button>{" "}
          →{" "}
          <button type="button" className="link" onClick={() => select([edge.target])}>
            {edge.target}
          </button>
        </h2>
        <p className="lead">
          from <code>{edge.source_port}</code> into <code>{edge.target_port}</code>
        </p>
      </header>
      <section className="part" aria-label="What flows">
        <dl className="facts number">
          <dt>Carries</dt>
          <dd>{type ?? "not known yet"}</dd>
          {isShuffled && (
            <>
              <dt>Shuffle</dt>
              <dd>to the task of each key</dd>
            </>
          )}
          {isRun && (
            <>
              <dt>Records</dt>
              <dd>{formatRate(findEdgeRate(nodes, edge, isOnlyInput))} /s</dd>
            </>
          )}
        </dl>
      </section>
      <section className="part" aria-label="Schema">
        <SchemaView schema={flow?.carries ?? null} />
        <Button onClick={() => openDrawer("trial")}>Try on real records</Button>
      </section>
      {!isReadOnly && type === "KStream" && <KeyBy edge={edge} schema={flow?.carries ?? null} />}
      {!isReadOnly && (
        <div className="part several">
          <Button look="danger" onClick={() => edit(remove(new Set(), new Set([makeEdgeKey(edge)])))}>
            Remove edge
          </Button>
        </div>
      )}
    </>
  );
}
