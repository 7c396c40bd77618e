/** The outline of a sparkline: the newest value at the right edge, older ones to the left. */

export interface SparkPaths {
  readonly line: string;
  readonly area: string;
}

const EMPTY: SparkPaths = { line: "", area: "" };

/** Paths in a box of `width` × `height`, scaled from 0 to the largest value. `slots` values fill the width. */
export function drawSparkPaths(values: readonly number[], width: number, height: number, slots: number): SparkPaths {
  const bars = values.slice(-slots);
  if (bars.length < 2) return EMPTY;
  const top = Math.max(...bars, Number.MIN_VALUE);
  const step = width / (slots - 1);
  const left = width - step * (bars.length - 1);
  const points = bars.map((value, index) => `${round(left + index * step)},${round(height - (value / top) * height)}`);
  const line = `M${points.join("L")}`;
  return { line, area: `${line}L${round(width)},${round(height)}L${round(left)},${round(height)}Z` };
}

function round(value: number): string {
  return String(Math.round(value * 10) / 10);
}
