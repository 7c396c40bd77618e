import { createContext } from "react";

/**
 * The distance of the view. Near shows everything. Far enlarges names and rates, and dims the rest.
 * Very far leaves out ports and single edges, which are too small to see, so that hundreds of nodes move smoothly.
 */
export type Distance = "near" | "far" | "very far";

export const DistanceContext = createContext<Distance>("near");

export function findDistance(zoom: number): Distance {
  if (zoom >= 0.8) return "near";
  return zoom >= 0.3 ? "far" : "very far";
}
