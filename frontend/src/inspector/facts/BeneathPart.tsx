import type { Graph, Operator } from "../../api/types";
import { ResultPart } from "./ResultPart";
import { WindowsPart } from "./WindowsPart";

interface Props {
  readonly id: string;
  readonly graph: Graph;
  readonly operator: Operator;
}

/** The trial's view below the settings, if the catalogue wants one. */
export function BeneathPart({ id, graph, operator }: Props) {
  if (operator.beneath === "result") return <ResultPart id={id} graph={graph} />;
  if (operator.beneath === "windows") return <WindowsPart id={id} graph={graph} />;
  return null;
}
