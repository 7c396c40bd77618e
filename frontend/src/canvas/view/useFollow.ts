import { useReactFlow, useStoreApi } from "@xyflow/react";
import { useEffect, useRef, useState } from "react";
import type { Graph } from "../../api/types";
import { listAdded } from "../../editor/document/document";
import { useSides } from "../../editor/interface/sides";
import { useEditing, useInterface } from "../../editor/interface/useEditor";
import { useRestingValue } from "../../ui/browser/useRestingValue";
import { listPanels, measureRoom } from "../flow/room";
import { listNeighbours } from "../flow/useFit";
import { follow } from "./following";
import type { LentView } from "./useLentView";

const FOLLOW_MS = 200;
const NONE: ReadonlySet<string> = new Set();
/** The inspector opens soon after something was added, and may cover it. */
const OPENED_MS = 1_000;

interface Added {
  readonly ids: readonly string[];
  readonly at: number;
}

/**
 * The view follows what the user just added, and a single node that is selected out of sight or covered. When the
 * inspector opens, its neighbours stay in sight too if they all fit. The view stays while a pointer is held.
 */
export function useFollow({ nodes }: Graph, { noteMoved }: LentView): void {
  const selection = useRestingValue(useInterface((editor) => editor.selection));
  const added = useRestingValue(useAdded());
  const covered = useSides((sides) => sides.covered);
  const flow = useReactFlow();
  const api = useStoreApi();
  const coveredBefore = useRef(covered);
  const [only, ...others] = selection.nodes;
  const single = others.length === 0 && nodes.some(({ id }) => id === only) ? only : undefined;
  useEffect(() => {
    const { width: whole, height, transform } = api.getState();
    const isForInspector = covered !== coveredBefore.current;
    coveredBefore.current = covered;
    if (whole === 0) return;
    const isFresh = performance.now() - added.at < OPENED_MS;
    const ids = new Set(isFresh ? added.ids : single === undefined ? [] : [single]);
    const followed = flow.getNodes().filter(({ id }) => ids.has(id));
    if (followed.length === 0) return;
    const [x, y, zoom] = transform;
    const seen = { room: measureRoom({ width: whole, height }), width: whole - covered, height, panels: listPanels() };
    const around = isForInspector && !isFresh ? listNeighbours(flow.getEdges(), ids) : NONE;
    const together = flow.getNodesBounds(flow.getNodes().filter(({ id }) => ids.has(id) || around.has(id)));
    const fits = together.width * zoom <= seen.room.width && together.height * zoom <= seen.room.height;
    const to = follow({ x, y, zoom }, fits ? together : flow.getNodesBounds(followed), seen);
    const duration = window.matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : FOLLOW_MS;
    if (to === null) return;
    void flow.setViewport(to, { duration }).then(() => {
      if (isForInspector && !isFresh) noteMoved();
    });
  }, [api, flow, noteMoved, single, added, covered]);
}

/** The nodes that this user's newest edit added, and when. What others add moves no view. */
function useAdded(): Added {
  const { store } = useEditing();
  const [added, setAdded] = useState<Added>({ ids: [], at: -Infinity });
  useEffect(
    () =>
      store.subscribe((state, before) => {
        if (state.document === before.document || state.revision !== before.revision) return;
        const ids = listAdded(before.document.graph, state.document.graph);
        if (ids.length > 0) setAdded({ ids, at: performance.now() });
      }),
    [store],
  );
  return added;
}
