/** The distribution of one field's values over the loaded rows. */
import type { TableRow } from "../../api/types";
import { compact, parseMembers } from "../../ui/text/json";

export interface Distribution {
  /** The most frequent values as JSON. Of equally frequent ones, the earlier comes first. */
  readonly top: readonly { readonly value: string; readonly count: number }[];
  /** Rows with other values. */
  readonly others: number;
}

type Row = Pick<TableRow, "value">;

/** The name of a value without fields. */
const ITSELF = "value";
const NULL = "null";
const LOOKED_AT = 100;
const MAX_ROWS = 5;

/** The fields of the first rows' values, in order of appearance. */
export function listFieldNames(rows: readonly Row[]): readonly string[] {
  return [...new Set(rows.slice(0, LOOKED_AT).flatMap((row) => [...readFields(row).keys()]))];
}

export function computeDistribution(rows: readonly Row[], field: string): Distribution {
  const counts = new Map<string, number>();
  for (const row of rows) {
    const value = readFields(row).get(field) ?? NULL;
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  const all = [...counts].map(([value, count]) => ({ value, count })).toSorted((one, two) => two.count - one.count);
  return { top: all.slice(0, MAX_ROWS), others: all.slice(MAX_ROWS).reduce((sum, { count }) => sum + count, 0) };
}

function readFields({ value }: Row): ReadonlyMap<string, string> {
  const members = parseMembers(value);
  return members.size > 0 ? members : new Map([[ITSELF, compact(value)]]);
}
