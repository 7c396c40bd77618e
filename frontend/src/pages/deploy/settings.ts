import { formatSpan } from "../../inspector/form/durations";
import type { FormSchema, SettingsChange } from "../../api/types";
import type { Field } from "../../inspector/form/fields";
import { formatBytes, formatCount } from "../../ui/text/format";

const MIB = 1_024 * 1_024;

type Setting = SettingsChange[keyof SettingsChange];

/** A setting in words. `help` is the server's line on it. `isDefault`: no user chose it. */
export interface SettingLine {
  readonly name: string;
  readonly title: string;
  readonly value: string;
  readonly help: string;
  readonly isDefault: boolean;
}

/** A job's settings with their units, in the order of the schema. Unknown settings come last. */
export function listSettings(settings: SettingsChange, { properties = {} }: FormSchema): SettingLine[] {
  const values = mapByName(settings);
  const names = new Set([...Object.keys(properties), ...values.keys()]);
  return [...names]
    .filter((name) => values.has(name))
    .map((name) => ({
      name,
      title: properties[name]?.title ?? name,
      value: write(values.get(name), properties[name]),
      help: properties[name]?.description ?? "",
      isDefault: properties[name]?.default === values.get(name),
    }));
}

/** The value of each setting by its name in the schema, for drawing. */
export function mapByName(settings: SettingsChange): ReadonlyMap<string, Setting> {
  return new Map(Object.entries(settings));
}

/** The fields in their order, except that changed ones come first. */
export function sortDifferingFirst(fields: readonly Field[], settings: SettingsChange): readonly Field[] {
  const values = mapByName(settings);
  const isSet = ({ name, fallback }: Field) => Number(values.has(name) && values.get(name) !== fallback);
  return fields.toSorted((one, other) => isSet(other) - isSet(one));
}

function write(value: Setting, of: FormSchema | undefined): string {
  if (of?.default_means !== undefined && value === of.default) return of.default_means;
  if (typeof value === "boolean") return value ? "on" : "off";
  if (typeof value === "number") return formatSetting(value, of?.format);
  return typeof value === "string" ? value.replaceAll("_", " ") : JSON.stringify(value);
}

function formatSetting(value: number, format: string | undefined): string {
  if (format === "milliseconds") return formatSpan(value);
  return format === "mebibytes" ? formatBytes(value * MIB) : formatCount(value);
}
