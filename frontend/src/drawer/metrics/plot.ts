/** A small chart on a canvas, in the page's own colours; all of one group share the cursor. */
import uPlot from "uplot";
import { formatBytes } from "../../ui/text/format";
import { findSpan, shortenTime, TIME_STEPS } from "./series";

/** Seconds since 1970, and the number of each line at each. Null if unknown. */
export type Lines = readonly [readonly number[], ...(readonly (number | null)[])[]];

/** The look of a line, with a colour token of the page. */
export interface Look {
  readonly tone: string;
  /** Its name, if there are several. */
  readonly word?: string;
  readonly isDashed?: boolean;
  readonly isFilled?: boolean;
}

export const PLAIN: readonly Look[] = [{ tone: "--accent", isFilled: true }];

export interface PlotWishes {
  readonly group: string;
  readonly tick: (value: number) => string;
  readonly looks: readonly Look[];
  readonly isLog: boolean;
  /** Moments (s) to mark on the time axis. */
  readonly marks: readonly number[];
  /** Gets the point at the group's cursor, or null if there is none. */
  readonly onPoint: (index: number | null) => void;
}

const LOGARITHMIC = 3;
const AXIS_PX = 58;
/** The widest label of the time axis, such as "28 Nov": half of the last one is right of the plot. */
const LABEL_PX = 44;
/** Steps of an axis of bytes: the labels are whole KiB, MiB and GiB. */
const BINARY = Array.from({ length: 50 }, (_, power) => 2 ** power);
const CLOCK = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const EXACT = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });
const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });
const DAY_S = 86_400;
/** Steps of the time axis in seconds. */
const STEPS = [60, 300, 600, 900, 1_800, 3_600, 10_800, 21_600, DAY_S, 2 * DAY_S];

export function drawPlot(place: HTMLElement, lines: Lines, wishes: PlotWishes): uPlot {
  return new uPlot(makeOptions(place, wishes), makeData(lines, wishes.isLog), place);
}

/** A logarithmic axis cannot show zero. */
export function makeData([times, ...lines]: Lines, isLog: boolean): uPlot.AlignedData {
  const plotLines = isLog ? lines.map((line) => line.map((value) => (value === 0 ? null : value))) : lines;
  return [times as number[], ...(plotLines as (number | null)[][])];
}

export function formatClockTime(seconds: number): string {
  return EXACT.format(seconds * 1_000);
}

function makeOptions(place: HTMLElement, wishes: PlotWishes): uPlot.Options {
  const { group, tick, looks, isLog, marks, onPoint } = wishes;
  const style = getComputedStyle(place);
  const colour = (name: string) => resolve(place, name);
  const font = `11px ${style.getPropertyValue("--mono")}`;
  const look = { font, stroke: colour("--faint"), ticks: { show: false } };
  const grid = { stroke: colour("--hairline"), width: 1 };
  return {
    width: place.clientWidth,
    height: place.clientHeight,
    legend: { show: false },
    padding: [8, LABEL_PX / 2, 0, 0],
    cursor: { sync: { key: group }, drag: { x: false, y: false }, y: false, points: { size: 6 } },
    scales: {
      x: { range: (plot) => [...findSpan(plot.data[0] as number[])] },
      // eslint-disable-next-line @typescript-eslint/no-unsafe-enum-assignment -- uPlot has the enum in its types only
      y: isLog ? { distr: LOGARITHMIC, log: 10 } : { range: fromZero },
    },
    axes: [
      {
        ...look,
        grid: { show: false },
        incrs: STEPS,
        space: 64,
        size: 22,
        values: (_, at, _axis, _space, step) => at.map(step < DAY_S ? formatClock : formatDay),
      },
      {
        ...look,
        grid,
        size: AXIS_PX,
        space: 28,
        values: (_, at) => at.map((value) => formatTick(value, tick)),
        ...(isLog ? {} : findSteps(tick)),
      },
    ],
    series: [
      {},
      ...looks.map(({ tone, isDashed = false, isFilled = false }) => ({
        stroke: colour(tone),
        width: 1.5,
        spanGaps: false,
        points: { show: false },
        ...(isFilled ? { fill: colour("--accent-soft") } : {}),
        ...(isDashed ? { dash: [4, 4] } : {}),
      })),
    ],
    hooks: {
      setCursor: [(plot) => onPoint(plot.cursor.idx ?? null)],
      draw: [(plot) => drawMarks(plot, marks, colour("--warn"))],
    },
  };
}

function drawMarks(plot: uPlot, marks: readonly number[], colour: string): void {
  const { ctx, bbox } = plot;
  const [first, last] = findSpan(plot.data[0] as number[]);
  ctx.save();
  ctx.strokeStyle = colour;
  ctx.lineWidth = window.devicePixelRatio;
  ctx.setLineDash([]);
  for (const mark of marks.filter((at) => at >= first && at <= last)) {
    const x = Math.round(plot.valToPos(mark, "x", true)) + 0.5;
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
  }
  ctx.restore();
}

/** A canvas does not know `light-dark()`: the browser resolves the token. */
function resolve(place: HTMLElement, token: string): string {
  const before = place.style.color;
  place.style.color = `var(${token})`;
  const { color } = getComputedStyle(place);
  place.style.color = before;
  return color;
}

/** Steps with short labels in units that are not decimal. Other axes have those of the library. */
function findSteps(tick: PlotWishes["tick"]): { readonly incrs?: number[] } {
  if (tick === formatBytes) return { incrs: BINARY };
  return tick === shortenTime ? { incrs: TIME_STEPS } : {};
}

function fromZero(_: uPlot, _least: number | null, most: number | null): uPlot.Range.MinMax {
  return [0, most === null || most <= 0 ? 1 : most * 1.1];
}

/** A logarithmic axis hides the numbers of most of its lines. */
function formatTick(value: number | null, tick: (value: number) => string): string {
  return value === null ? "" : tick(value);
}

function formatDay(seconds: number): string {
  return DAY.format(seconds * 1_000);
}

function formatClock(seconds: number): string {
  return CLOCK.format(seconds * 1_000);
}
