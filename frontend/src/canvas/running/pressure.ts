/** What the canvas marks while records wait. Edges and nodes read it: they are redrawn only when they change sides. */
import { useEffect, useMemo } from "react";
import { create } from "zustand";
import type { Graph } from "../../api/types";
import { makeEdgeKey } from "../../editor/document/document";
import { usePacedLive } from "../../live/LiveContext";
import { findBottleneck, findWaitingEdges, type Bottleneck } from "./bottleneck";

interface Pressure {
  readonly bottleneck: Bottleneck | null;
  /** The keys of the edges on which records wait. */
  readonly edges: ReadonlySet<string>;
}

const NONE: Pressure = { bottleneck: null, edges: new Set() };

export const usePressure = create<Pressure>()(() => NONE);

/** Keeps the marks true for the drawn graph. Draws nothing. */
export function PressureOf({ graph }: { readonly graph: Graph }) {
  const text = usePacedLive(({ state }) => JSON.stringify(findBottleneck(state)));
  const bottleneck = useMemo(() => JSON.parse(text) as Bottleneck | null, [text]);
  const place = bottleneck === null ? "" : `${bottleneck.node ?? ""} ${bottleneck.topics.join(" ")}`;
  const edges = useMemo(() => {
    if (bottleneck === null) return NONE.edges;
    const indexes = findWaitingEdges(graph, bottleneck);
    return new Set(graph.edges.filter((_, index) => indexes.has(index)).map(makeEdgeKey));
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the share changes often, and moves no edge
  }, [graph, place]);
  useEffect(() => usePressure.setState({ bottleneck, edges }), [bottleneck, edges]);
  useEffect(() => () => usePressure.setState(NONE), []);
  return null;
}
