import { createContext } from "react";

/**
 * From how far the graph is seen: near, everything is there; far, names and rates are larger and the rest steps back;
 * from very far ports and single edges, which no one could grasp, are left out, so that hundreds of nodes move at once.
 */
export type Distance = "near" | "far" | "very far";

export const DistanceContext = createContext<Distance>("near");

export function findDistance(zoom: number): Distance {
  if (zoom >= 0.7) return "near";
  return zoom >= 0.3 ? "far" : "very far";
}
