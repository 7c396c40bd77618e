import { NODE } from "../layout/places";
import { align, distribute, type Box } from "../layout/aligning";
import { move, type Position } from "../document/document";
import type { Editing } from "../interface/useEditor";
import { findShapes } from "../layout/shape";

export interface Arrangement {
  readonly word: string;
  readonly act: () => void;
}

type Stores = Pick<Editing, "store" | "ui" | "rules">;
type Arrange = (boxes: readonly Box[]) => ReadonlyMap<string, Position>;

/** The possible arrangements of the selection: none for one node, and no spacing for two. */
export function listArrangements({ store, ui, rules }: Stores): readonly Arrangement[] {
  const { size } = ui.getState().selection.nodes;
  const arrange = (word: string, places: Arrange): Arrangement => ({
    word,
    act: () => store.getState().edit(move(places(listBoxes({ store, ui, rules })))),
  });
  const lines = [
    arrange("Align in a row", (boxes) => align(boxes, "row")),
    arrange("Align in a column", (boxes) => align(boxes, "column")),
  ];
  const spaces = [
    arrange("Distribute across", (boxes) => distribute(boxes, "row")),
    arrange("Distribute down", (boxes) => distribute(boxes, "column")),
  ];
  return [...(size > 1 ? lines : []), ...(size > 2 ? spaces : [])];
}

function listBoxes({ store, ui, rules }: Stores): readonly Box[] {
  const { graph } = store.getState().document;
  const { nodes } = ui.getState().selection;
  const shapes = findShapes(graph, rules.operators);
  return graph.nodes
    .filter(({ id }) => nodes.has(id))
    .map(({ id, position }) => ({ ...NODE, ...position, id, height: shapes.get(id)?.height ?? NODE.height }));
}
