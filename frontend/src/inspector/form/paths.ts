/** Dotted paths into a config, as issues and expressions name its fields: `functions.0.expression`. */
import type { Config } from "../../editor/document/document";
import { collectRowValues, listFieldViews, type Field, type Values } from "./fields";

export function findValue(config: unknown, path: string): unknown {
  return path.split(".").reduce<unknown>((part, step) => (part as Config | null | undefined)?.[step], config);
}

/** A copy with `value` at the path. Undefined removes the field. */
export function withValue(config: Config, path: string, value: unknown): Config {
  return putValue(config, path.split("."), value) as Config;
}

function putValue(part: unknown, [step = "", ...steps]: readonly string[], value: unknown): unknown {
  if (Array.isArray(part)) {
    const inner = steps.length === 0 ? value : putValue(part[Number(step)], steps, value);
    return Object.assign([...(part as unknown[])], { [step]: inner });
  }
  const before = (part ?? {}) as Config;
  const { [step]: _, ...others } = before;
  const inner = steps.length === 0 ? value : putValue(before[step], steps, value);
  return inner === undefined ? others : { ...before, [step]: inner };
}

/** The paths of the drawn form: each field's, and that of each cell of each row. */
export function listPaths(
  fields: readonly Field[],
  config: Config,
  values: Values,
  way: string | null = null,
  at = "",
): readonly string[] {
  return listFieldViews(fields, config, values, way).flatMap(({ field }) => [
    `${at}${field.name}`,
    ...listCellPaths(field, config[field.name], values, `${at}${field.name}`),
  ]);
}

function listCellPaths({ kind, columns }: Field, value: unknown, values: Values, at: string): readonly string[] {
  if (kind === "values") return listValues(value).map((_, index) => `${at}.${index}`);
  return listRows(value).flatMap((row, index) =>
    listPaths(columns, row, collectRowValues(columns, row, values), null, `${at}.${index}.`),
  );
}

/** A text in a config, or "" if there is none. */
export function readText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** The rows of a list in a config, or none without a list. */
export function listRows(value: unknown): readonly Config[] {
  return listValues(value).map((row) => (typeof row === "object" && row !== null ? (row as Config) : {}));
}

/** The values of a list in a config, or none without a list. */
export function listValues(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The rows with one of them moved up (-1) or down (1). */
export function move<T>(rows: readonly T[], from: number, by: -1 | 1): readonly T[] {
  const [one, other] = [rows[from], rows[from + by]];
  if (one === undefined || other === undefined) return rows;
  return rows.with(from, other).with(from + by, one);
}
