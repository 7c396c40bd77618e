/** Dotted paths into a config, as issues and expressions name its fields: `functions.0.expression`. */
import type { Config } from "../../editor/document";
import type { Field } from "./fields";

export function valueAt(config: unknown, path: string): unknown {
  return path.split(".").reduce<unknown>((held, step) => (held as Config | null | undefined)?.[step], config);
}

/** A copy with `value` at the path; undefined takes the field out. */
export function withValue(config: Config, path: string, value: unknown): Config {
  return placed(config, path.split("."), value) as Config;
}

function placed(held: unknown, [step = "", ...steps]: readonly string[], value: unknown): unknown {
  if (Array.isArray(held)) {
    const inner = steps.length === 0 ? value : placed(held[Number(step)], steps, value);
    return Object.assign([...(held as unknown[])], { [step]: inner });
  }
  const before = (held ?? {}) as Config;
  const { [step]: _, ...others } = before;
  const inner = steps.length === 0 ? value : placed(before[step], steps, value);
  return inner === undefined ? others : { ...before, [step]: inner };
}

/** Where the drawn form has a field: each field's path, and that of each cell of each row. */
export function pathsOf(fields: readonly Field[], config: Config): readonly string[] {
  return fields.flatMap(({ name, columns }) => [name, ...cellsOf(name, columns, rowsIn(config[name]))]);
}

function cellsOf(name: string, columns: readonly Field[], rows: readonly Config[]): readonly string[] {
  return rows.flatMap((_, index) => columns.map((column) => `${name}.${index}.${column.name}`));
}

/** A text in a config; "" where there is none. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** The rows of a list in a config; none where there is no list. */
export function rowsIn(value: unknown): readonly Config[] {
  return Array.isArray(value) ? (value as readonly Config[]) : [];
}

/** The rows with one of them a place further up (-1) or down (1). */
export function moved(rows: readonly Config[], from: number, by: -1 | 1): readonly Config[] {
  const [one, other] = [rows[from], rows[from + by]];
  if (one === undefined || other === undefined) return rows;
  return rows.with(from, other).with(from + by, one);
}
