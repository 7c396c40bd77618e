import type { DragEvent } from "react";

const KIND = "application/streamwright-operator";

/** A drag of an operator from the palette to the canvas. */
export function startDrag(event: DragEvent, operator: string): void {
  event.dataTransfer.setData(KIND, operator);
  event.dataTransfer.effectAllowed = "copy";
}

export function isOperator(event: DragEvent): boolean {
  return event.dataTransfer.types.includes(KIND);
}

export function readDrop(event: DragEvent): string {
  return event.dataTransfer.getData(KIND);
}
