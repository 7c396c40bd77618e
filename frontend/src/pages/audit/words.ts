/** How an entry of the audit is asked for, and read. */
import type { AuditEntry, AuditQuery } from "../../api/types";

/** Parts of texts, and days as `2026-11-26`, the last of them included; empty: whatever it is. */
export interface Filter {
  readonly by: string;
  readonly what: string;
  readonly since: string;
  readonly until: string;
}

const DAY_MS = 86_400_000;

/** The filter as the API takes it; days begin and end where the user is. */
export function makeQuery({ by, what, since, until }: Filter): AuditQuery {
  const begin = since === "" ? null : new Date(Date.parse(`${since}T00:00:00`)).toISOString();
  const end = until === "" ? null : new Date(Date.parse(`${until}T00:00:00`) + DAY_MS).toISOString();
  return { by: by.trim(), what: what.trim(), since: begin, until: end };
}

type Change = AuditEntry["changes"][number];
type Words = Pick<Change, "of" | "field"> & { readonly before: string | null; readonly after: string | null };

/** A change as texts; null if there was nothing, or is nothing any more. */
export function describeChange({ of, field, before, after }: Change): Words {
  return { of, field, before: formatValue(before), after: formatValue(after) };
}

function formatValue(value: unknown): string | null {
  if (value === null || value === undefined || value === "") return null;
  return typeof value === "string" ? value : JSON.stringify(value);
}
