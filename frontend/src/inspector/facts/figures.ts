/** The numbers of a node that are worth showing, in words and figures. */
import type { NodeNumbers, Size } from "../../live/state";
import { withoutResult } from "./books";
import { formatBytes, formatRate, formatShortCount, UNKNOWN } from "../../numbers/format";

export interface Figure {
  readonly name: string;
  readonly value: string;
  readonly tone: "usual" | "zero" | "loud";
}

/** `table`: what the table holds that the node looks records up in. */
export function figuresOf(numbers: NodeNumbers, isSource: boolean, table: Size | null = null): readonly Figure[] {
  const { state, no_match, closed_idle, unlikely_times, extra = 0, waiting = 0 } = numbers;
  const without = withoutResult(numbers);
  const outRate = isSource ? numbers.rate : numbers.out_rate;
  return [
    isSource ? [] : figure("In /s", formatRate(numbers.rate), numbers.rate),
    figure("Out /s", formatRate(outRate), outRate),
    isSource ? [] : figure("In", formatShortCount(numbers.in), numbers.in),
    figure("Out", formatShortCount(numbers.out), numbers.out),
    no_match === undefined ? [] : figure("No match", formatShortCount(no_match), no_match),
    extra === 0 ? [] : figure("Extra", formatShortCount(extra), extra),
    without === 0 ? [] : figure("No result", formatShortCount(without), without),
    waiting === 0 ? [] : figure("Waiting", formatShortCount(waiting), waiting),
    closed_idle === undefined ? [] : figure("Emitted when idle", formatShortCount(closed_idle), closed_idle),
    unlikely_times === undefined
      ? []
      : figure("Unlikely times", formatShortCount(unlikely_times), unlikely_times, "loud"),
    figure("Dropped", formatShortCount(numbers.dropped), numbers.dropped),
    figure("Errors", formatShortCount(numbers.errors), numbers.errors, "loud"),
    state ? figure("Rows", formatShortCount(state.rows), state.rows) : [],
    state ? figure("State", formatBytes(state.bytes), state.bytes) : [],
    table ? figure("Table rows", formatShortCount(table.rows), table.rows) : [],
    table ? figure("Table state", formatBytes(table.bytes), table.bytes) : [],
    figure("Busy", share(numbers.busy), numbers.busy),
  ].flat();
}

function figure(name: string, value: string, amount: number, tone: Figure["tone"] = "usual"): Figure {
  return { name, value, tone: amount === 0 ? "zero" : tone };
}

/** 0 %, below 1 %, 37 % */
function share(part: number): string {
  if (!Number.isFinite(part)) return UNKNOWN;
  return part > 0 && part < 0.01 ? "< 1 %" : `${Math.round(part * 100)} %`;
}
