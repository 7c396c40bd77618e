import type { Issue } from "../../api/types";
import { FieldFrame } from "./FieldFrame";
import type { Field, Kind } from "./fields";
import { ValueControl } from "./ValueControl";

interface Props {
  readonly field: Field;
  readonly issues: readonly Issue[];
  readonly value: unknown;
  /** Undefined empties the field. */
  readonly change: (value: unknown) => void;
}

/** Short controls go beside their label. Several controls share it as their name. */
const LOOKS: Partial<Record<Kind, "above" | "group">> = { text: "above", segments: "group" };

/** A field with one plain value. */
export function PlainField({ field, issues, value, change }: Props) {
  return (
    <FieldFrame field={field} path={field.name} issues={issues} look={LOOKS[field.kind] ?? "beside"}>
      {(aria) => <ValueControl field={field} path={field.name} value={value} change={change} aria={aria} />}
    </FieldFrame>
  );
}
