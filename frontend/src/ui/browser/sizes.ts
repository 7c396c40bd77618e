/** The size of a panel in px, between limits. This browser remembers it. */

export interface Limits {
  readonly min: number;
  readonly max: number;
}

/** The side at which the user drags a panel. */
export type Edge = "top" | "left" | "right";

export const STEP = 24;

export function limitSize(size: number, { min, max }: Limits): number {
  return Math.round(Math.max(min, Math.min(size, max)));
}

/** The size of a panel with its edge at a point of the screen. */
export function measureTo({ x, y }: { readonly x: number; readonly y: number }, edge: Edge, panel: DOMRect): number {
  return { top: panel.bottom - y, left: panel.right - x, right: x - panel.left }[edge];
}

const GROW: Readonly<Record<Edge, string>> = { top: "ArrowUp", left: "ArrowLeft", right: "ArrowRight" };
const SHRINK: Readonly<Record<Edge, string>> = { top: "ArrowDown", left: "ArrowRight", right: "ArrowLeft" };

/** The size after a key at the separator. Null for keys that do not move it. */
export function findSizeAfter(key: string, size: number, edge: Edge, limits: Limits): number | null {
  const moves: Readonly<Record<string, number>> = {
    [GROW[edge]]: size + STEP,
    [SHRINK[edge]]: size - STEP,
    PageUp: size + 4 * STEP,
    PageDown: size - 4 * STEP,
    Home: limits.min,
    End: limits.max,
  };
  const newSize = moves[key];
  return newSize === undefined ? null : limitSize(newSize, limits);
}

export function readSize(panel: string, first: number): number {
  try {
    const text = localStorage.getItem(nameOf(panel));
    return text === null ? first : Number(text) || 0;
  } catch {
    return first;
  }
}

export function saveSize(panel: string, size: number): void {
  try {
    localStorage.setItem(nameOf(panel), String(size));
  } catch {
    // forbidden: next time it has the default size
  }
}

function nameOf(panel: string): string {
  return `streamwright:size of ${panel}`;
}
