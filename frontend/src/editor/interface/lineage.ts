/** The field whose lineage the canvas shows: where it comes from, and where it goes to. */
import { create } from "zustand";
import type { FieldLineage } from "../../api/types";

/** A field of the records that leave a node. */
export interface TracedField {
  readonly node: string;
  readonly part: "key" | "value";
  readonly path: readonly string[];
}

interface Traced {
  /** Null: no field is chosen. */
  readonly field: TracedField | null;
  /** The nodes that it passes, once known. */
  readonly way: ReadonlySet<string>;
}

const NOTHING: Traced = { field: null, way: new Set() };

export const useLineage = create<Traced>()(() => NOTHING);

/** Chooses a field, or no longer if it is chosen. */
export function chooseField(field: TracedField | null): void {
  const { field: before } = useLineage.getState();
  useLineage.setState(field === null || isSameField(field, before) ? NOTHING : { field, way: new Set([field.node]) });
}

export function showLineage({ way }: Pick<FieldLineage, "way">): void {
  useLineage.setState({ way: new Set(way) });
}

function isSameField(one: TracedField, other: TracedField | null): boolean {
  return nameField(one) === (other === null ? null : nameField(other));
}

/** "totals: value.sum" */
function nameField({ node, part, path }: TracedField): string {
  return `${node}: ${[part, ...path].join(".")}`;
}
