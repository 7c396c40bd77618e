/** Time spans as a number and a unit. Configs store milliseconds. */

const MS = { ms: 1, s: 1_000, min: 60_000, h: 3_600_000, d: 86_400_000 } as const;

export type Unit = keyof typeof MS;

export const UNITS = Object.keys(MS) as readonly Unit[];
const USUAL: Unit = "s";

/** The largest unit in which a span is a whole number. */
export function chooseUnit(ms: number | undefined): Unit {
  if (ms === undefined || ms === 0) return USUAL;
  return UNITS.findLast((unit) => ms % MS[unit] === 0) ?? "ms";
}

/** The number to show, or "" if there is none. */
export function formatInUnit(ms: number | undefined, unit: Unit): string {
  return ms === undefined ? "" : String(ms / MS[unit]);
}

/** A span as its field shows it, to the millisecond: "90 s". */
export function formatSpan(ms: number): string {
  const unit = chooseUnit(ms);
  return `${formatInUnit(ms, unit)} ${unit}`;
}

/** Whole milliseconds of a typed number, or undefined for other text. */
export function parseMs(text: string, unit: Unit): number | undefined {
  const amount = text.trim() === "" ? NaN : Number(text);
  return Number.isFinite(amount) ? Math.round(amount * MS[unit]) : undefined;
}
