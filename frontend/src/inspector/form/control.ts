import type { Field } from "./fields";

/** Connects a control to its label, its help and its issues. */
export interface ControlAria {
  readonly id: string;
  readonly "aria-describedby": string | undefined;
  readonly "aria-invalid": true | undefined;
  readonly "aria-required": true | undefined;
}

/** The label of a cell, which has no visible label. */
export interface CellAria extends ControlAria {
  readonly "aria-label"?: string;
  readonly "aria-labelledby"?: string;
}

/** Properties of a control for one value. */
export interface ControlProps {
  readonly field: Field;
  readonly path: string;
  readonly value: unknown;
  readonly change: (value: unknown) => void;
  readonly aria: CellAria;
}

/** Attributes of an element outside React. The caller keeps those of a cell as JSON. */
export function readAttributes(json: string): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(JSON.parse(json) as CellAria).map(([name, value]) => [name, String(value)]));
}
