/** The place of a hint beside its target: on its side if there is room, and always within the window. */

export type Side = "left" | "right" | "above" | "below" | "inside";

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

type Size = Pick<Box, "width" | "height">;

const APART = 12;
const EDGE = 8;

/** A hint in less width would have too many lines. */
const NARROWEST = 180;

export function findPlaceBeside(target: Box, hint: Size, window: Size, side: Side): Pick<Box, "left" | "top"> {
  const { left, top } = findPlaceOn(target, hint, side);
  return {
    left: limit(left, EDGE, window.width - hint.width - EDGE),
    top: limit(top, EDGE, window.height - hint.height - EDGE),
  };
}

/** The width that a hint on the right of its target may have so that it covers nothing of `clear`. Null: any. */
export function findWidthBeside(target: Box, clear: Box | null): number | null {
  if (clear === null) return null;
  const room = clear.left - (target.left + target.width) - 2 * APART;
  return room < NARROWEST ? null : room;
}

function findPlaceOn(target: Box, hint: Size, side: Side): Pick<Box, "left" | "top"> {
  const middle = target.left + (target.width - hint.width) / 2;
  const upper = target.top + Math.min(APART * 2, (target.height - hint.height) / 2);
  switch (side) {
    case "left":
      return { left: target.left - hint.width - APART, top: upper };
    case "right":
      return { left: target.left + target.width + APART, top: upper };
    case "above":
      return { left: target.left, top: target.top - hint.height - APART };
    case "below":
      return { left: middle, top: target.top + target.height + APART };
    case "inside":
      return { left: middle, top: upper };
  }
}

function limit(value: number, least: number, most: number): number {
  return Math.round(Math.max(least, Math.min(value, most)));
}
