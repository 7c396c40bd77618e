/** Which fields of a form apply: some only with what another field holds, or with what arrives at a port. */
import type { Config } from "../../editor/document/document";
import type { Arriving } from "../../graph/ports";
import type { Conditions, Field } from "./fields";

/** What is known by name: of fields what they hold, of ports the type that arrives. */
export type Values = Readonly<Record<string, unknown>>;

/** A field as it is drawn. One that does not apply but holds a value is drawn anyway: nothing gets lost. */
export interface FieldView {
  readonly field: Field;
  readonly isUsed: boolean;
  /** Few set it here. */
  readonly isMore: boolean;
}

/** What is known to the fields of a node; of a port nothing arrives at, nothing. */
export function collectFormValues(fields: readonly Field[], config: Config, arriving: Arriving = {}): Values {
  return { ...collectFallbacks(fields), ...config, ...arriving };
}

/** What is known to the fields of a row: its own, and those of the form around it. */
export function collectRowValues(columns: readonly Field[], row: Config, around: Values): Values {
  return { ...around, ...collectFallbacks(columns), ...row };
}

/** The fields to draw, in order. One that depends on what arrives at a port is not drawn before something does. */
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

/** The ways in which the fields that apply say one thing; none if there is but one. */
export function listWays(fields: readonly Field[], values: Values): readonly string[] {
  const applying = fields.filter((field) => field.way !== "" && areMet(field.conditions, values));
  const ways = [...new Set(applying.map(({ way }) => way))];
  return ways.length > 1 ? ways : [];
}

/** The way in which it is said: the chosen one, else that of a field that holds something, else the first. */
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
