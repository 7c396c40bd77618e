/** Rectangles of the canvas, or of the screen. */
export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Whether two rectangles overlap. */
export function meets(one: Rect, other: Rect): boolean {
  const isAcross = one.x < other.x + other.width && other.x < one.x + one.width;
  return isAcross && one.y < other.y + other.height && other.y < one.y + one.height;
}

/** The smallest rectangle around some. */
export function bound(rects: readonly Rect[]): Rect {
  const x = Math.min(...rects.map((rect) => rect.x));
  const y = Math.min(...rects.map((rect) => rect.y));
  const right = Math.max(...rects.map((rect) => rect.x + rect.width));
  const bottom = Math.max(...rects.map((rect) => rect.y + rect.height));
  return { x, y, width: right - x, height: bottom - y };
}
