/** How high the drawer is, in px: remembered by this browser, never so high that the canvas is gone. */

const NAME = "streamwright:drawer-height";
const FIRST = 260;
export const MIN_HEIGHT = 120;
const MAX_SHARE = 0.7;

export const STEP = 24;

export function within(height: number, windowHeight: number): number {
  return Math.round(Math.max(MIN_HEIGHT, Math.min(height, most(windowHeight))));
}

export function most(windowHeight: number): number {
  return Math.max(MIN_HEIGHT, Math.round(windowHeight * MAX_SHARE));
}

/** Where the separator goes at a key; null for keys that do not move it. */
export function heightAfter(key: string, height: number, windowHeight: number): number | null {
  const moves: Readonly<Record<string, number>> = {
    ArrowUp: height + STEP,
    ArrowDown: height - STEP,
    PageUp: height + 4 * STEP,
    PageDown: height - 4 * STEP,
    Home: MIN_HEIGHT,
    End: most(windowHeight),
  };
  const moved = moves[key];
  return moved === undefined ? null : within(moved, windowHeight);
}

export function rememberedHeight(): number {
  try {
    return Number(localStorage.getItem(NAME)) || FIRST;
  } catch {
    return FIRST;
  }
}

export function rememberHeight(height: number): void {
  try {
    localStorage.setItem(NAME, String(height));
  } catch {
    // forbidden: it is as high as ever next time
  }
}
