import { createContext } from "react";
import { differences } from "../editor/differences";
import type { Graph } from "../graph/graph";

/** By node: the word for how it differs between the draft and what runs. */
export type DifferenceWords = ReadonlyMap<string, "New" | "Changed" | "Removed">;

export const DifferencesContext = createContext<DifferenceWords>(new Map());

/** The words for the nodes of the graph that is shown. */
export function differenceWords(shown: Graph, other: Graph, isDraft: boolean): DifferenceWords {
  const only = isDraft ? "New" : "Removed";
  return new Map([...differences(shown, other)].map(([id, is]) => [id, is === "added" ? only : "Changed"]));
}
