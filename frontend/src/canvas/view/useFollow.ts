import { useReactFlow, useStoreApi } from "@xyflow/react";
import { useEffect } from "react";
import type { Graph } from "../../api/types";
import { useSides } from "../../editor/interface/sides";
import { useInterface } from "../../editor/interface/useEditor";
import { useRestingValue } from "../../ui/browser/useRestingValue";
import { follow } from "./following";

const FOLLOW_MS = 200;

/** The view follows a single node that is selected out of sight or covered. It stays while a pointer is held. */
export function useFollow({ nodes }: Graph): void {
  const selection = useRestingValue(useInterface((editor) => editor.selection));
  const covered = useSides((sides) => sides.covered);
  const flow = useReactFlow();
  const api = useStoreApi();
  const [only, ...others] = selection.nodes;
  const node = others.length === 0 ? nodes.find(({ id }) => id === only) : undefined;
  const place = node?.position;
  useEffect(() => {
    const { width: whole, height, transform } = api.getState();
    const width = whole - covered;
    const [x, y, zoom] = transform;
    const to = place === undefined || whole === 0 ? null : follow({ x, y, zoom, width, height }, place);
    const duration = window.matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : FOLLOW_MS;
    if (to !== null) void flow.setViewport({ ...to, zoom }, { duration });
    // eslint-disable-next-line react-hooks/exhaustive-deps -- a node that is moved does not take the view along
  }, [only, others.length, covered]);
}
