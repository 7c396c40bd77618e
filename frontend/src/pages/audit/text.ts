/** Queries and words of the audit. */
import type { AuditEntry, AuditQuery } from "../../api/types";

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
  return { of, field, before: formatValue(before), after: formatValue(after) };
}

function formatValue(value: unknown): string | null {
  if (value === null || value === undefined || value === "") return null;
  return typeof value === "string" ? value : JSON.stringify(value);
}
