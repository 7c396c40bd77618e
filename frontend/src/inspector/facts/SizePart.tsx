import { tryOut } from "../../api/calls";
import type { Document, Graph, GraphNode } from "../../api/types";
import { configure } from "../../editor/document/document";
import { useEditing } from "../../editor/interface/useEditor";
import { Button } from "../../ui/controls/Button";
import { formatAmount } from "../../ui/text/format";
import { formatSpan } from "../form/durations";
import { useTrialAnswer } from "./useTrialAnswer";
import { suggestSize } from "./windowSize";
import "./BeneathPart.css";

const ask = (document: Document, node: string, cluster: string) => tryOut(document, node, cluster, null);

interface Props {
  readonly node: GraphNode;
  readonly graph: Graph;
}

/** Suggests the size of windows from the times of the newest records, while the user has set none. */
export function SizePart({ node, graph }: Props) {
  const before = graph.edges.find(({ target }) => target === node.id)?.source;
  if (before === undefined || node.config.size_ms !== undefined) return null;
  return <Suggestion node={node} before={before} graph={graph} />;
}

function Suggestion({ node, before, graph }: Props & { readonly before: string }) {
  const { store } = useEditing();
  const answer = useTrialAnswer(before, graph, ask);
  const [output] = Object.values(answer?.outputs ?? {});
  const size = suggestSize((output?.records ?? []).map(({ timestamp }) => timestamp));
  if (size === null) return null;
  const take = () => store.getState().edit(configure(node.id, { ...node.config, size_ms: size.size_ms }));
  return (
    <section className="suggestion" aria-label="Suggested size">
      <p className="quiet">
        At the pace of the newest records, windows of {formatSpan(size.size_ms)} hold about{" "}
        {formatAmount(size.records, "record")}.
      </p>
      <Button onClick={take}>
        Use {formatSpan(size.size_ms)}
      </Button>
    </section>
  );
}
