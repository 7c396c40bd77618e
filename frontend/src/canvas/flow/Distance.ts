import { createContext } from "react";

/**
 * The distance of the view. Near shows everything. Middle leaves out what icons and colours say, too. Far leaves two
 * lines of words: the name, and the numbers or the setting. In all three, letters are 11 pixels high or more on the
 * screen (OperatorNode.css), down to the smallest zoom with which a topology opens.
 * Very far leaves out ports and single edges, which are too small to see, so that hundreds of nodes move smoothly.
 */
export type Distance = "near" | "middle" | "far" | "very far";

export const DistanceContext = createContext<Distance>("near");

/** The smallest zoom of each distance, nearest first. */
const DISTANCES: readonly (readonly [Distance, number])[] = [
  ["near", 0.85],
  ["middle", 0.75],
  ["far", 0.3],
];

export function findDistance(zoom: number): Distance {
  return DISTANCES.find(([, from]) => zoom >= from)?.[0] ?? "very far";
}

export const DISTANCE_CLASSES = { near: "", middle: "middle", far: "far", "very far": "far very-far" } as const;
