/** The important numbers of a node, in words and figures. */
import type { NodeNumbers, Size } from "../../live/state";
import { withoutResult } from "./balance";
import { formatBytes, formatRate, formatShortCount, UNKNOWN } from "../../ui/text/format";

export interface Figure {
  readonly name: string;
  readonly value: string;
  readonly tone: "usual" | "zero" | "loud";
}

/** `table`: size of the table in which the node looks records up. */
export function listFigures(numbers: NodeNumbers, isSource: boolean, table: Size | null = null): readonly Figure[] {
  const { state, no_match, closed_idle, unlikely_times, extra = 0 } = numbers;
  const waiting = state?.held ?? numbers.waiting ?? 0;
  const without = withoutResult(numbers);
  const outRate = isSource ? numbers.rate : numbers.out_rate;
  return [
    isSource ? [] : makeFigure("In /s", formatRate(numbers.rate), numbers.rate),
    makeFigure("Out /s", formatRate(outRate), outRate),
    isSource ? [] : makeFigure("In", formatShortCount(numbers.in), numbers.in),
    makeFigure("Out", formatShortCount(numbers.out), numbers.out),
    no_match === undefined ? [] : makeFigure("No match", formatShortCount(no_match), no_match),
    extra === 0 ? [] : makeFigure("Extra", formatShortCount(extra), extra),
    without === 0 ? [] : makeFigure("No result", formatShortCount(without), without),
    waiting === 0 ? [] : makeFigure("Waiting", formatShortCount(waiting), waiting),
    closed_idle === undefined ? [] : makeFigure("Emitted when idle", formatShortCount(closed_idle), closed_idle),
    unlikely_times === undefined
      ? []
      : makeFigure("Unlikely times", formatShortCount(unlikely_times), unlikely_times, "loud"),
    makeFigure("Dropped", formatShortCount(numbers.dropped), numbers.dropped),
    makeFigure("Errors", formatShortCount(numbers.errors), numbers.errors, "loud"),
    state && state.held === undefined ? makeFigure("Rows", formatShortCount(state.rows), state.rows) : [],
    state ? makeFigure("State", formatBytes(state.bytes), state.bytes) : [],
    table ? makeFigure("Table rows", formatShortCount(table.rows), table.rows) : [],
    table ? makeFigure("Table state", formatBytes(table.bytes), table.bytes) : [],
    makeFigure("Busy", formatShare(numbers.busy), numbers.busy),
  ].flat();
}

function makeFigure(name: string, value: string, amount: number, tone: Figure["tone"] = "usual"): Figure {
  return { name, value, tone: amount === 0 ? "zero" : tone };
}

/** 0 %, below 1 %, 37 % */
function formatShare(part: number): string {
  if (!Number.isFinite(part)) return UNKNOWN;
  return part > 0 && part < 0.01 ? "< 1 %" : `${Math.round(part * 100)} %`;
}
