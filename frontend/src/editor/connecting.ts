/** May this wire be drawn? What Kafka Streams would not compile is refused while it is dragged, with the reason. */
import type { Catalogue, Operator } from "../api/types";
import type { Graph, GraphEdge } from "../graph/graph";
import { typeOfOutput } from "../graph/wires";

export interface Reason {
  readonly message: string;
  readonly hint: string;
}

export interface Rules {
  readonly operators: ReadonlyMap<string, Operator>;
  /** Why an output type cannot go into a port, by `refusedKey`. */
  readonly refused: ReadonlyMap<string, Reason>;
}

export function rulesOf(catalogue: Catalogue): Rules {
  return {
    operators: new Map(catalogue.operators.map((operator) => [operator.name, operator])),
    refused: new Map(
      catalogue.refused.map(({ gives, operator, port, message, hint }) => [
        refusedKey(gives, operator, port),
        { message, hint },
      ]),
    ),
  };
}

/** Why the edge cannot be drawn; null when it can. */
export function whyNot(edge: GraphEdge, graph: Graph, rules: Rules): Reason | null {
  const target = graph.nodes.find(({ id }) => id === edge.target);
  if (target === undefined) return null;
  return wrongType(edge, target.operator, graph, rules) ?? fedAlready(edge, graph) ?? goesRound(edge, graph);
}

/** An output of a type not known yet is refused where none of the types it may have would do. */
function wrongType(edge: GraphEdge, operator: string, graph: Graph, rules: Rules): Reason | null {
  const gives = typeOfOutput(edge.source, edge.source_port, graph, rules.operators);
  const types = gives === null ? possibleTypes(edge, graph, rules) : [gives];
  const reasons = types.map((type) => rules.refused.get(refusedKey(type, operator, edge.target_port)) ?? null);
  return reasons.includes(null) ? null : (reasons[0] ?? null);
}

/** What an output that is like an input may give while nothing feeds that input. */
function possibleTypes({ source, source_port }: GraphEdge, graph: Graph, rules: Rules): readonly string[] {
  const operator = rules.operators.get(graph.nodes.find(({ id }) => id === source)?.operator ?? "");
  const like = operator?.outputs.find(({ name }) => name === source_port)?.like;
  return operator?.inputs.find(({ name }) => name === like)?.takes ?? [];
}

function fedAlready(edge: GraphEdge, graph: Graph): Reason | null {
  const other = graph.edges.find(
    ({ target, target_port }) => target === edge.target && target_port === edge.target_port,
  );
  if (other === undefined) return null;
  return {
    message: `The \`${edge.target_port}\` port of \`${edge.target}\` takes one wire, and \`${other.source}\` feeds it.`,
    hint: "Remove that wire first.",
  };
}

function goesRound(edge: GraphEdge, graph: Graph): Reason | null {
  if (!leadsTo(edge.target, edge.source, graph)) return null;
  return {
    message: `What leaves \`${edge.target}\` comes into \`${edge.source}\`: records would go round for ever.`,
    hint: "Go through a topic and a second topology.",
  };
}

/** Whether `to` is `from`, or lies behind it. */
export function leadsTo(from: string, to: string, graph: Graph): boolean {
  const seen = new Set<string>();
  const open = [from];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (id === to) return true;
    if (seen.has(id)) continue;
    seen.add(id);
    open.push(...graph.edges.filter(({ source }) => source === id).map(({ target }) => target));
  }
  return false;
}

/** The edges that would feed a new node from an output: one for the first port that takes it; none where none does. */
export function fitting(source: string, port: string, target: string, graph: Graph, rules: Rules): GraphEdge | null {
  const operator = graph.nodes.find(({ id }) => id === target)?.operator ?? "";
  const edges = (rules.operators.get(operator)?.inputs ?? []).map(({ name }) => ({
    source,
    source_port: port,
    target,
    target_port: name,
  }));
  return edges.find((edge) => whyNot(edge, graph, rules) === null) ?? null;
}

function refusedKey(gives: string, operator: string, port: string): string {
  return `${gives} ${operator}.${port}`;
}
