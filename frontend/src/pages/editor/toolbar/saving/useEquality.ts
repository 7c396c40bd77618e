import { findDifferences } from "../../../../editor/comparing/differences";
import { useDocument } from "../../../../editor/interface/useEditor";
import { useRunningGraph } from "../../../../editor/comparing/useShownGraph";

/** Whether the draft does the same as the deployed version. Null while unknown, or if nothing is deployed. */
export function useEquality(): boolean | null {
  const running = useRunningGraph();
  return useDocument(({ document: { graph: draft } }) => {
    if (running === null) return null;
    return draft.nodes.length === running.nodes.length && findDifferences(draft, running).size === 0;
  });
}
