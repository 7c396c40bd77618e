/** Edges without a pointer: finds outputs for an input, and connects them. */
import type { Graph, GraphEdge } from "../../api/types";
import { listInputs, listOutputs } from "../graph/ports";
import { explainWhyNot, type Rules } from "./connecting";

/** An input port, the edges that feed it, and possible ones. */
export interface Feeding {
  readonly port: string;
  readonly edges: readonly GraphEdge[];
  readonly choices: readonly GraphEdge[];
}

export function listFeedings(id: string, graph: Graph, rules: Rules): readonly Feeding[] {
  const node = graph.nodes.find((one) => one.id === id);
  const into = graph.edges.filter(({ target }) => target === id);
  return listInputs(node, rules.operators).map(({ name }) => ({
    port: name,
    edges: into.filter(({ target_port }) => target_port === name),
    choices: listAllOutputs(graph, rules)
      .map((from) => ({ ...from, target: id, target_port: name }))
      .filter((edge) => explainWhyNot(edge, graph, rules) === null),
  }));
}

function listAllOutputs(graph: Graph, { operators }: Rules): readonly Pick<GraphEdge, "source" | "source_port">[] {
  return graph.nodes.flatMap((node) =>
    listOutputs(node, operators).map(({ name }) => ({ source: node.id, source_port: name })),
  );
}

/** The name of the source: the node, and its output if it has several. */
export function describeSource({ source, source_port }: GraphEdge, graph: Graph, { operators }: Rules): string {
  const node = graph.nodes.find(({ id }) => id === source);
  return listOutputs(node, operators).length > 1 ? `${source}, ${source_port}` : source;
}
