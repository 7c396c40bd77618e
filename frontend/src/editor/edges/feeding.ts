/** Edges without a pointer: which outputs may feed an input of a node, and feeding it. */
import type { Graph, GraphEdge } from "../../api/types";
import { inputsOf, outputsOf } from "../../graph/ports";
import { whyNot, type Rules } from "./connecting";

/** An input port, the edges that feed it, and those that could. */
export interface Feeding {
  readonly port: string;
  readonly edges: readonly GraphEdge[];
  readonly choices: readonly GraphEdge[];
}

export function feedings(id: string, graph: Graph, rules: Rules): readonly Feeding[] {
  const node = graph.nodes.find((one) => one.id === id);
  const into = graph.edges.filter(({ target }) => target === id);
  return inputsOf(node, rules.operators).map(({ name }) => ({
    port: name,
    edges: into.filter(({ target_port }) => target_port === name),
    choices: everyOutput(graph, rules)
      .map((from) => ({ ...from, target: id, target_port: name }))
      .filter((edge) => whyNot(edge, graph, rules) === null),
  }));
}

function everyOutput(graph: Graph, { operators }: Rules): readonly Pick<GraphEdge, "source" | "source_port">[] {
  return graph.nodes.flatMap((node) =>
    outputsOf(node, operators).map(({ name }) => ({ source: node.id, source_port: name })),
  );
}

/** What feeds: the node, and which of its outputs where it has several. */
export function sourceWords({ source, source_port }: GraphEdge, graph: Graph, { operators }: Rules): string {
  const node = graph.nodes.find(({ id }) => id === source);
  return outputsOf(node, operators).length > 1 ? `${source}, ${source_port}` : source;
}
