import type { SettingsSchema } from "../../api/types";
import { bytes, count, duration } from "../../numbers/format";

const MIB = 1_024 * 1_024;

export type Settings = Readonly<Record<string, unknown>>;

/** A setting in words; `help` is the server's line on it, `isDefault` whether nobody chose it. */
export interface SettingLine {
  readonly name: string;
  readonly title: string;
  readonly value: string;
  readonly help: string;
  readonly isDefault: boolean;
}

/** A job's settings, units written out, in the order of their schema; those it does not know come last. */
export function settingLines(settings: Settings, schema: SettingsSchema): SettingLine[] {
  const names = new Set([...Object.keys(schema.properties), ...Object.keys(settings)]);
  return [...names]
    .filter((name) => name in settings)
    .map((name) => ({
      name,
      title: titled(name),
      value: written(name, settings[name]),
      help: schema.properties[name]?.description ?? "",
      isDefault: schema.properties[name]?.default === settings[name],
    }));
}

function titled(name: string): string {
  const words = name.replace(/_(ms|mb)$/, "").replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function written(name: string, value: unknown): string {
  if (typeof value === "boolean") return value ? "on" : "off";
  if (typeof value === "number") return amount(name, value);
  if (typeof value !== "string") return JSON.stringify(value);
  return value === "" ? "default" : value.replaceAll("_", " ");
}

function amount(name: string, value: number): string {
  if (name.endsWith("_ms")) return duration(value);
  if (name.endsWith("_mb")) return value === 0 ? "no limit" : bytes(value * MIB);
  return value === 0 ? "automatic" : count(value);
}
