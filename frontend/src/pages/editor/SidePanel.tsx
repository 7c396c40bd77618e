import { useEffect, type ReactNode } from "react";
import { findLimits, fold, setWidth, useSides, type Side } from "../../editor/interface/sides";
import { useInterface } from "../../editor/interface/useEditor";
import { Icon } from "../../ui/icons/Icon";
import { Separator } from "../../ui/controls/Separator";
import "./SidePanel.css";

interface Props {
  readonly side: Side;
  readonly children: ReactNode;
}

/** A panel beside the canvas, resized at its inner edge or folded away. */
export function SidePanel({ side, children }: Props) {
  const width = useSides((sides) => sides[side]);
  const isFolded = width === 0;
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

/** Shows the inspector when one of its fields is requested. */
export function useShownField(): void {
  const focus = useInterface((editor) => editor.focus);
  useEffect(() => {
    if (focus !== null && useSides.getState().inspector === 0) fold("inspector", false);
  }, [focus]);
}
