/** The classes of a table's figure: zeros and unknowns are dimmed. */
export function chooseFigureClass(value: number | null | undefined): string {
  return value ? "figure" : "figure zero";
}

/** The same for a figure that means trouble if it is not zero. */
export function chooseTroubleClass(value: number | null | undefined): string {
  return value ? "figure loud" : "figure zero";
}
