import { createContext, useMemo, useState } from "react";
import { findDifferenceKinds, type DifferenceKind } from "../../editor/comparing/comparing";
import { findDifferences } from "../../editor/comparing/differences";
import { useDocument, useInterface } from "../../editor/interface/useEditor";
import { useRunningGraph, useShownGraph } from "../../editor/comparing/useShownGraph";
import type { Graph } from "../../api/types";

/** By id: how a node differs between the draft and the running version. In a comparison, any item, by id or key. */
export type DifferenceWords = ReadonlyMap<string, "New" | DifferenceKind>;

const NOTHING: DifferenceWords = new Map();

export const DifferencesContext = createContext(NOTHING);

/** The words for the shown nodes. The object stays the same until one changes, because every node reads it. */
export function useDifferenceWords(): DifferenceWords {
  const { graph } = useShownGraph();
  const isDraft = useInterface((editor) => editor.view === "draft");
  const draft = useDocument((editor) => editor.document.graph);
  const running = useRunningGraph();
  const versionView = useInterface((editor) => editor.versionView);
  const words = useMemo(() => {
    if (versionView !== null) return findDifferenceKinds(versionView.differences);
    return running === null ? NOTHING : describeDifferences(graph, isDraft ? running : draft, isDraft);
  }, [graph, draft, running, isDraft, versionView]);
  const [stableWords, setStableWords] = useState(words);
  if (stableWords === words || saysTheSame(stableWords, words)) return stableWords;
  setStableWords(words);
  return words;
}

/** The words for the nodes of the shown graph. */
function describeDifferences(graph: Graph, other: Graph, isDraft: boolean): DifferenceWords {
  const only = isDraft ? "New" : "Removed";
  return new Map([...findDifferences(graph, other)].map(([id, is]) => [id, is === "added" ? only : "Changed"]));
}

function saysTheSame(one: DifferenceWords, other: DifferenceWords): boolean {
  return one.size === other.size && [...one].every(([id, word]) => other.get(id) === word);
}
