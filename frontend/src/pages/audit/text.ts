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

const DAY_MS = 86_400_000;

/** The filter for the API. Days begin and end in the user's time zone. */
export function makeQuery({ by, what, since, until }: Filter): AuditQuery {
  const begin = since === "" ? null : new Date(Date.parse(`${since}T00:00:00`)).toISOString();
  const end = until === "" ? null : new Date(Date.parse(`${until}T00:00:00`) + DAY_MS).toISOString();
  return { by: by.trim(), what: what.trim(), since: begin, until: end };
}

type Change = AuditEntry["changes"][number];
type Words = Pick<Change, "of" | "field"> & { readonly before: string | null; readonly after: string | null };

/** A change as texts. Null for a value that did not exist, or no longer does. */
export function describeChange({ of, field, before, after }: Change): Words {
  const format = of.startsWith("topic ") ? (value: unknown) => formatSetting(field, value) : formatValue;
  return { of, field, before: format(before), after: format(after) };
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
