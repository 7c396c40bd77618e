import type { Numbers, Size } from "../../../live/state";

/** The classes of a table's figure: zeros and unknowns are dimmed. */
export function chooseFigureClass(value: number | null | undefined): string {
  return value ? "figure" : "figure zero";
}

/** The same for a figure that means trouble if it is not zero. */
export function chooseTroubleClass(value: number | null | undefined): string {
  return value ? "figure loud" : "figure zero";
}

/** The size of all stores. Before the first batch of a run it is unknown, because kept state is not counted yet. */
export function findState(numbers: Numbers | null): Size | null {
  return numbers?.batch.number == null ? null : numbers.state;
}
