/** Queries and words of the audit. */
import type { AuditEntry, AuditQuery } from "../../api/types";
import { describeSetting } from "../../ui/text/topicSettings";

/** Parts of texts, and days as `2026-11-26`, including the last. Empty matches all. */
export interface Filter {
  readonly by: string;
  readonly what: string;
  readonly since: string;
  readonly until: string;
}

/** The filter for the API. Days begin and end in the user's time zone. */
export function makeQuery({ by, what, since, until }: Filter): AuditQuery {
  return { by: by.trim(), what: what.trim(), since: findMidnight(since, 0), until: findMidnight(until, 1) };
}

/** The beginning of a day, or of the one some days after it. Null without a day, or while its year is being typed. */
function findMidnight(day: string, after: number): string | null {
  const at = new Date(`${day}T00:00:00`);
  at.setDate(at.getDate() + after); // a day may have 23 or 25 hours
  return at.getUTCFullYear() <= LAST_YEAR ? at.toISOString() : null;
}

/** A field for a date takes years of six digits, and the server those of four. */
const LAST_YEAR = 9_999;

type Change = AuditEntry["changes"][number];
type Words = Pick<Change, "of" | "field"> & { readonly before: string | null; readonly after: string | null };

/**
 * A change as texts, without the name of the thing that its entry is about already. Null for a value that did not
 * exist, or no longer does.
 */
export function describeChange({ of, field, before, after }: Change, thing: string | null = null): Words {
  const format = of.startsWith("topic ") ? (value: unknown) => formatSetting(field, value) : formatValue;
  return { of: of === thing ? "" : of, field, before: format(before), after: format(after) };
}

/** A value of a topic's setting with what it means: "604800000 (7 d)". */
function formatSetting(name: string, value: unknown): string | null {
  const text = formatValue(value);
  const meant = describeSetting(name, text);
  return meant === null ? text : `${text} (${meant})`;
}

function formatValue(value: unknown): string | null {
  if (value === null || value === undefined || value === "") return null;
  return typeof value === "string" ? value : JSON.stringify(value);
}
