import type { KeyboardEvent, PointerEvent } from "react";
import { heightAfter, MIN_HEIGHT, most, within } from "./height";

interface Props {
  readonly height: number;
  readonly change: (height: number) => void;
}

/** The drawer's upper edge: dragged, or moved with the arrow keys. */
export function Separator({ height, change }: Props) {
  const dragged = (event: PointerEvent<HTMLDivElement>) => {
    const drawer = event.currentTarget.parentElement;
    if (!event.currentTarget.hasPointerCapture(event.pointerId) || drawer === null) return;
    change(within(drawer.getBoundingClientRect().bottom - event.clientY, window.innerHeight));
  };
  const pressed = (event: KeyboardEvent) => {
    const moved = heightAfter(event.key, height, window.innerHeight);
    if (moved === null) return;
    event.preventDefault();
    event.stopPropagation();
    change(moved);
  };
  return (
    <div
      className="separator"
      role="separator"
      tabIndex={0}
      aria-label="Height of the drawer"
      aria-orientation="horizontal"
      aria-valuenow={height}
      aria-valuemin={MIN_HEIGHT}
      aria-valuemax={most(window.innerHeight)}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={dragged}
      onKeyDown={pressed}
    />
  );
}
