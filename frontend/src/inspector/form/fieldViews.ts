/** The fields of a form that apply: some depend on another field's value, or on the type at a port. */
import type { Config } from "../../editor/document/document";
import type { Arriving } from "../../editor/graph/ports";
import type { Conditions, Field } from "./fields";

/** Known values by name: values of fields, and types at ports. */
export type Values = Readonly<Record<string, unknown>>;

/** A field to draw. One that does not apply but has a value is drawn too, so that nothing is lost. */
export interface FieldView {
  readonly field: Field;
  readonly isUsed: boolean;
  /** Few users set it here. */
  readonly isMore: boolean;
}

/** The known values for a node's fields. Ports without a type are left out. */
export function collectFormValues(fields: readonly Field[], config: Config, arriving: Arriving = {}): Values {
  return { ...collectFallbacks(fields), ...config, ...arriving };
}

/** The known values for a row's fields: its own, and those of the form around it. */
export function collectRowValues(columns: readonly Field[], row: Config, around: Values): Values {
  return { ...around, ...collectFallbacks(columns), ...row };
}

/** The fields to draw, in order. A field that depends on a port's type waits until the port has one. */
export function listFieldViews(
  fields: readonly Field[],
  config: Config,
  values: Values,
  choice: string | null = null,
): readonly FieldView[] {
  const way = chooseWay(fields, config, values, choice);
  return fields.flatMap((field) => {
    const isUsed = areMet(field.conditions, values) && (way === null || field.way === "" || field.way === way);
    const isMore = field.more !== null && areMet(field.more, values);
    return isUsed || config[field.name] !== undefined ? [{ field, isUsed, isMore }] : [];
  });
}

/** The alternatives of the fields that apply. None if there is only one. */
export function listWays(fields: readonly Field[], values: Values): readonly string[] {
  const applying = fields.filter((field) => field.way !== "" && areMet(field.conditions, values));
  const ways = [...new Set(applying.map(({ way }) => way))];
  return ways.length > 1 ? ways : [];
}

/** The current alternative: the chosen one, else that of a field with a value, else the first. */
export function chooseWay(
  fields: readonly Field[],
  config: Config,
  values: Values,
  choice: string | null,
): string | null {
  const ways = listWays(fields, values);
  const usedWay = fields.find(({ name, way }) => way !== "" && config[name] !== undefined)?.way;
  return [choice, usedWay].find((way) => way != null && ways.includes(way)) ?? ways[0] ?? null;
}

function areMet(conditions: Conditions, facts: Values): boolean {
  return Object.entries(conditions).every(([name, values]) => values.some((value) => value === (facts[name] ?? null)));
}

function collectFallbacks(fields: readonly Field[]): Config {
  return Object.fromEntries(fields.map(({ name, fallback }) => [name, fallback]));
}
