import { useEffect, useRef, type CSSProperties, type ReactNode } from "react";
import { useEditing } from "../../editor/interface/useEditor";
import { Search } from "../../ui/controls/Search";
import { findFocusMove } from "../../ui/browser/walking";
import { focusNode } from "../flow/focus";
import "./SearchPanel.css";

interface Props {
  readonly className: string;
  readonly style?: CSSProperties;
  /** The name of the panel. */
  readonly label: string;
  /** What users can type. */
  readonly inputLabel: string;
  readonly search: string;
  readonly change: (search: string) => void;
  readonly enter: () => void;
  readonly close: () => void;
  /** A list of buttons, which the arrow keys walk. */
  readonly children: ReactNode;
}

/** A panel over the canvas: type, Enter. It closes when the focus leaves it. Escape focuses the selected node. */
export function SearchPanel({ className, style, label, inputLabel, search, change, enter, close, children }: Props) {
  const { ui } = useEditing();
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    panel.current?.querySelector("input")?.focus();
  }, []);
  const leave = () => {
    const [node] = ui.getState().selection.nodes;
    close();
    if (node !== undefined) focusNode(node);
  };
  return (
    <div
      ref={panel}
      className={`search-panel ${className}`}
      style={style}
      role="dialog"
      aria-label={label}
      onKeyDown={(event) => {
        if (event.key === "Escape") {
          event.stopPropagation(); // the selection stays
          leave();
        }
        const places = [...event.currentTarget.querySelectorAll<HTMLElement>("input, li button")];
        const go = event.key.startsWith("Arrow") ? findFocusMove(event.key, places) : null;
        if (go === null) return;
        event.preventDefault();
        go();
      }}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) close();
      }}
    >
      <Search hasKey={false} label={inputLabel} value={search} change={change} enter={enter} />
      {children}
    </div>
  );
}
