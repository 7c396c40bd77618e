import { useReactFlow, type NodeChange } from "@xyflow/react";
import { use, useCallback, useRef, useState, useEffect, type RefObject } from "react";
import { findGuide, type Box, type Guide } from "../../editor/layout/aligning";
import { move } from "../../editor/document/document";
import { useEditing } from "../../editor/interface/useEditor";
import { copyTo } from "./copying";
import { DistanceContext } from "../flow/Distance";
import { findFinalPlaces, findPlaces, moveBy, takeBack, withFrameContents, type FlowItem } from "../flow/flow";

type Changes = readonly NodeChange<FlowItem>[];

const NO_GUIDES: readonly Guide[] = [];

/** Moves nodes by pointer with snapping, and by keys. With Alt held, it places copies. */
export function useMoving(isReadOnly: boolean, changeNodes: (changes: Changes) => void) {
  const { store, ui } = useEditing();
  const altDrop = useAltDrop();
  const { snap, guides } = useGuides();
  const moveNodes = useCallback(
    (flowChanges: NodeChange<FlowItem>[]) => {
      const changes = isReadOnly ? flowChanges : snap(withFrameContents(flowChanges, store.getState().document));
      const ends = findFinalPlaces(changes);
      const isCopying = ends.size > 0 && altDrop.current && !isReadOnly;
      changeNodes(isCopying ? takeBack(changes, store.getState().document) : changes);
      if (isCopying) copyTo({ store, ui }, ends);
      else if (ends.size > 0 && !isReadOnly) store.getState().edit(move(ends), `move ${[...ends.keys()].join(" ")}`);
    },
    [changeNodes, store, ui, isReadOnly, altDrop, snap],
  );
  return { moveNodes, guides };
}

/** Only a drag snaps: an arrow key can leave a line. From very far, lines are too close to tell apart. */
function useGuides() {
  const flow = useReactFlow<FlowItem>();
  const isVeryFar = use(DistanceContext) === "very far";
  const [guides, setGuides] = useState(NO_GUIDES);
  const wasDragging = useRef(false);
  const snap = useCallback(
    (changes: Changes): Changes => {
      const places = findPlaces(changes);
      const isDragging = places.size > 0 && findFinalPlaces(changes).size === 0;
      const isDrag = isDragging || (wasDragging.current && places.size > 0);
      if (!isDrag || isVeryFar) return changes;
      wasDragging.current = isDragging;
      const nodes = flow.getNodes().filter(({ type }) => type === "operator");
      const moving = nodes
        .filter(({ id }) => places.has(id))
        .map((node) => ({ ...makeBox(node), ...places.get(node.id) }));
      const still = nodes.filter(({ id }) => !places.has(id)).map(makeBox);
      const [row, column] = [findGuide(moving, still, "row"), findGuide(moving, still, "column")];
      setGuides(isDragging ? [row, column].filter((guide) => guide !== null) : NO_GUIDES);
      return moveBy(changes, { x: column?.by ?? 0, y: row?.by ?? 0 });
    },
    [flow, isVeryFar],
  );
  return { snap, guides };
}

function makeBox({ id, position, width = 0, height = 0 }: FlowItem): Box {
  return { id, ...position, width, height };
}

/** Whether Alt was held when the pointer was last released. The dragged items are then copied. */
function useAltDrop(): RefObject<boolean> {
  const isHeld = useRef(false);
  useEffect(() => {
    const note = (event: PointerEvent | KeyboardEvent) => {
      isHeld.current = event.type === "pointerup" && event.altKey;
    };
    window.addEventListener("pointerup", note, true);
    window.addEventListener("keydown", note, true);
    return () => {
      window.removeEventListener("pointerup", note, true);
      window.removeEventListener("keydown", note, true);
    };
  }, []);
  return isHeld;
}
