import { useMemo } from "react";
import type { Graph } from "../../api/types";
import { useStableValue } from "../../api/useStableValue";
import { makeContentKey } from "../document/contentKey";
import { useDocument } from "./useEditor";

/** The content key of a graph once it has been the same for `ms`: no key that is pressed waits for the text. */
export function useContentKey(graph: Graph, ms: number): string {
  const schemas = useDocument(({ document }) => document.schemas);
  const settled = useStableValue(useMemo(() => ({ graph, schemas }), [graph, schemas]), ms);
  return useMemo(() => makeContentKey(settled), [settled]);
}
