/** Which issue of a node is at which field of its form. */
import type { Issue } from "../../api/types";

export interface IssuePlaces {
  readonly at: ReadonlyMap<string, readonly Issue[]>;
  /** Those of no field the form shows. */
  readonly above: readonly Issue[];
}

export function groupIssues(issues: readonly Issue[], paths: readonly string[]): IssuePlaces {
  const at = new Map<string, Issue[]>();
  const above: Issue[] = [];
  for (const issue of issues) {
    const path = findOwner(issue.field, paths);
    if (path === null) above.push(issue);
    else at.set(path, [...(at.get(path) ?? []), issue]);
  }
  return { at, above };
}

/** The field that shows what a dotted path means: it itself, else the innermost one around it; null if none does. */
export function findOwner(field: string | null, paths: readonly string[]): string | null {
  if (field === null) return null;
  const around = paths.filter((path) => field === path || field.startsWith(`${path}.`));
  return around.reduce<string | null>((best, path) => (path.length > (best?.length ?? 0) ? path : best), null);
}

/** A field no one has filled in yet is no mistake, nor is an expression whose input is still missing. */
export function isOpen({ code }: Issue): boolean {
  return code === "field.missing" || code === "expression.unfed";
}

/** What a control says of itself to those who do not see it; undefined while nothing is wrong. */
export function markInvalid(issues: readonly Issue[]): true | undefined {
  return issues.every(isOpen) ? undefined : true;
}
