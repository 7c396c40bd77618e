import { useEffect, useLayoutEffect, useState, type ReactNode } from "react";
import { cover, findLimits, fold, setWidth, useSides, type Side } from "../../editor/interface/sides";
import { useInterface } from "../../editor/interface/useEditor";
import { useRestingValue } from "../../ui/browser/useRestingValue";
import { Icon } from "../../ui/icons/Icon";
import { Separator } from "../../ui/controls/Separator";
import "./SidePanel.css";

interface Props {
  readonly side: Side;
  readonly isShown: boolean;
  readonly children: ReactNode;
}

/** A panel beside the canvas, resized at its inner edge or folded away. */
export function SidePanel({ side, isShown, children }: Props) {
  const width = useSides((sides) => sides[side]);
  const isFolded = !isShown;
  const word = `${isFolded ? "Show" : "Fold"} ${side}`;
  return (
    <div className={`side-panel of-${side}`}>
      {!isFolded && children}
      {!isFolded && (
        <Separator
          label={`Width of the ${side}`}
          edge={side === "palette" ? "right" : "left"}
          size={width}
          limits={findLimits(side, window.innerWidth)}
          change={(width) => setWidth(side, width)}
        />
      )}
      <button type="button" className="fold" aria-label={word} title={word} onClick={() => fold(side)}>
        <Icon name={isFolded === (side === "palette") ? "open" : "back"} size={12} />
      </button>
    </div>
  );
}

/**
 * Whether the inspector is open: for a selection, for a comparison of versions, or because the user pinned it.
 * It waits until the pointer is up, so that it never opens under a drag.
 */
export function useInspectorShown(): boolean {
  const { inspector, isInspectorPinned } = useSides();
  const { nodes, edges } = useRestingValue(useInterface((editor) => editor.selection));
  const isCompared = useInterface((editor) => editor.versionView !== null);
  const isAsked = useInterface((editor) => editor.focus !== null);
  const isWanted = inspector > 0 && (nodes.size + edges.size > 0 || isCompared || isInspectorPinned);
  const [isShown, setShown] = useState(isWanted);
  useEffect(() => {
    const delay = isWanted && !isAsked && !isInspectorPinned ? DOUBLE_CLICK_MS : 0;
    const timer = window.setTimeout(() => setShown(isWanted), delay);
    return () => window.clearTimeout(timer);
  }, [isWanted, isAsked, isInspectorPinned]);
  useLayoutEffect(() => cover(isShown ? inspector : 0, window.innerWidth), [isShown, inspector]);
  return isShown;
}

/** The view makes room for the inspector, but not between the clicks of a double click. */
const DOUBLE_CLICK_MS = 250;

/** Shows the inspector when one of its fields is requested. */
export function useShownField(): void {
  const focus = useInterface((editor) => editor.focus);
  useEffect(() => {
    if (focus !== null && useSides.getState().inspector === 0) fold("inspector", false);
  }, [focus]);
}
