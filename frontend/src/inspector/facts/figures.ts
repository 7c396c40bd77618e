/** The numbers of a node that are worth showing, in words and figures. */
import type { NodeNumbers, Size } from "../../live/state";
import { withoutResult } from "./books";
import { bytes, rate, shortCount, UNKNOWN } from "../../numbers/format";

export interface Figure {
  readonly name: string;
  readonly value: string;
  readonly tone: "usual" | "zero" | "loud";
}

/** `table`: what the table holds that the node looks records up in. */
export function figuresOf(numbers: NodeNumbers, isSource: boolean, table: Size | null = null): readonly Figure[] {
  const { state, no_match, closed_idle, unlikely_times, extra = 0, waiting = 0 } = numbers;
  const without = withoutResult(numbers);
  return [
    isSource ? [] : figure("In /s", rate(numbers.rate), numbers.rate),
    figure("Out /s", rate(isSource ? numbers.rate : numbers.out_rate), isSource ? numbers.rate : numbers.out_rate),
    isSource ? [] : figure("In", shortCount(numbers.in), numbers.in),
    figure("Out", shortCount(numbers.out), numbers.out),
    no_match === undefined ? [] : figure("No match", shortCount(no_match), no_match),
    extra === 0 ? [] : figure("Extra", shortCount(extra), extra),
    without === 0 ? [] : figure("No result", shortCount(without), without),
    waiting === 0 ? [] : figure("Waiting", shortCount(waiting), waiting),
    closed_idle === undefined ? [] : figure("Emitted when idle", shortCount(closed_idle), closed_idle),
    unlikely_times === undefined
      ? []
      : figure("Unlikely times", shortCount(unlikely_times), unlikely_times, "loud"),
    figure("Dropped", shortCount(numbers.dropped), numbers.dropped),
    figure("Errors", shortCount(numbers.errors), numbers.errors, "loud"),
    state ? figure("Rows", shortCount(state.rows), state.rows) : [],
    state ? figure("State", bytes(state.bytes), state.bytes) : [],
    table ? figure("Table rows", shortCount(table.rows), table.rows) : [],
    table ? figure("Table state", bytes(table.bytes), table.bytes) : [],
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
