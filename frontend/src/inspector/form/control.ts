import type { Field } from "./fields";

/** How a control is tied to its label, its help and what is wrong with it. */
export interface ControlAria {
  readonly id: string;
  readonly "aria-describedby": string | undefined;
  readonly "aria-invalid": true | undefined;
  readonly "aria-required": true | undefined;
}

/** The label of a cell, which has no text of its own beside it. */
export interface CellAria extends ControlAria {
  readonly "aria-label"?: string;
  readonly "aria-labelledby"?: string;
}

/** What the control of one value gets. */
export interface ControlProps {
  readonly field: Field;
  readonly path: string;
  readonly value: unknown;
  readonly change: (value: unknown) => void;
  readonly aria: CellAria;
}

/** Attributes of an element outside React: those of a cell, which the caller holds as JSON. */
export function readAttributes(json: string): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(JSON.parse(json) as CellAria).map(([name, value]) => [name, String(value)]));
}
