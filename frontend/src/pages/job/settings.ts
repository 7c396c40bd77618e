import { bytes, count, duration } from "../../numbers/format";

const MIB = 1_024 * 1_024;

/** A job's settings as name and value in words, units written out, in the order the server keeps them. */
export function settingLines(settings: Readonly<Record<string, unknown>>): (readonly [string, string])[] {
  return Object.entries(settings).map(([name, value]) => [titled(name), written(name, value)] as const);
}

function titled(name: string): string {
  const words = name.replace(/_(ms|mb)$/, "").replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function written(name: string, value: unknown): string {
  if (typeof value === "boolean") return value ? "on" : "off";
  if (typeof value === "number") return amount(name, value);
  if (typeof value !== "string") return JSON.stringify(value);
  return value === "" ? "by default" : value.replaceAll("_", " ");
}

function amount(name: string, value: number): string {
  if (name.endsWith("_ms")) return duration(value);
  if (name.endsWith("_mb")) return bytes(value * MIB);
  return value === 0 ? "chosen by itself" : count(value);
}
