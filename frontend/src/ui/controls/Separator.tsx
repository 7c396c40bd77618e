import type { KeyboardEvent, PointerEvent } from "react";
import { findSizeAfter, measureTo, type Edge, type Limits } from "../browser/sizes";
import "./Separator.css";

interface Props {
  readonly label: string;
  readonly edge: Edge;
  readonly size: number;
  readonly limits: Limits;
  readonly change: (size: number) => void;
}

/** The edge of a panel, which must be its parent. Users drag it, or move it with the arrow keys. */
export function Separator({ label, edge, size, limits, change }: Props) {
  const drag = (event: PointerEvent<HTMLDivElement>) => {
    const panel = event.currentTarget.parentElement;
    if (!event.currentTarget.hasPointerCapture(event.pointerId) || panel === null) return;
    change(measureTo({ x: event.clientX, y: event.clientY }, edge, panel.getBoundingClientRect()));
  };
  const handleKey = (event: KeyboardEvent) => {
    const newSize = findSizeAfter(event.key, size, edge, limits);
    if (newSize === null) return;
    event.preventDefault();
    event.stopPropagation();
    change(newSize);
  };
  return (
    <div
      className={`separator at-${edge}`}
      role="separator"
      tabIndex={0}
      aria-label={label}
      aria-orientation={edge === "top" ? "horizontal" : "vertical"}
      aria-valuenow={size}
      aria-valuemin={limits.min}
      aria-valuemax={limits.max}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
      onKeyDown={handleKey}
    />
  );
}
