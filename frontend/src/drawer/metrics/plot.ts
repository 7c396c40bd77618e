/** A small chart on a canvas, in the page's own colours; all of one group share the cursor. */
import uPlot from "uplot";
import { spanOf, type Columns } from "./series";

export interface PlotWishes {
  readonly group: string;
  readonly tick: (value: number) => string;
  /** Which point the cursor of the group is on; null when it is on none. */
  readonly pointed: (index: number | null) => void;
}

const AXIS_PX = 52;
const CLOCK = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const EXACT = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });
/** Steps of the time axis in seconds. */
const STEPS = [60, 300, 600, 900, 1_800];

export function plotInto(place: HTMLElement, columns: Columns, wishes: PlotWishes): uPlot {
  return new uPlot(optionsOf(place, wishes), dataOf(columns), place);
}

export function dataOf([times, values]: Columns): uPlot.AlignedData {
  return [times as number[], values as (number | null)[]];
}

export function clockTime(seconds: number): string {
  return EXACT.format(seconds * 1_000);
}

function optionsOf(place: HTMLElement, { group, tick, pointed }: PlotWishes): uPlot.Options {
  const style = getComputedStyle(place);
  const colour = (name: string) => resolved(place, name);
  const font = `11px ${style.getPropertyValue("--mono")}`;
  const look = { font, stroke: colour("--faint"), ticks: { show: false } };
  const grid = { stroke: colour("--hairline"), width: 1 };
  return {
    width: place.clientWidth,
    height: place.clientHeight,
    legend: { show: false },
    padding: [8, 12, 0, 0],
    cursor: { sync: { key: group }, drag: { x: false, y: false }, y: false, points: { size: 6 } },
    scales: { x: { range: (plot) => [...spanOf(plot.data[0] as number[])] }, y: { range: fromZero } },
    axes: [
      { ...look, grid: { show: false }, incrs: STEPS, space: 64, size: 22, values: (_, at) => at.map(clock) },
      { ...look, grid, size: AXIS_PX, space: 28, values: (_, at) => at.map(tick) },
    ],
    series: [
      {},
      {
        stroke: colour("--accent"),
        fill: colour("--accent-soft"),
        width: 1.5,
        spanGaps: false,
        points: { show: false },
      },
    ],
    hooks: { setCursor: [(plot) => pointed(plot.cursor.idx ?? null)] },
  };
}

/** A canvas knows no `light-dark()`: the browser says which of the two a token is now. */
function resolved(place: HTMLElement, token: string): string {
  const before = place.style.color;
  place.style.color = `var(${token})`;
  const { color } = getComputedStyle(place);
  place.style.color = before;
  return color;
}

function fromZero(_: uPlot, _least: number | null, most: number | null): uPlot.Range.MinMax {
  return [0, most === null || most <= 0 ? 1 : most * 1.1];
}

function clock(seconds: number): string {
  return CLOCK.format(seconds * 1_000);
}
