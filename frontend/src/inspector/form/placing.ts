/** Assigns the issues of a node to the fields of its form. */
import type { Issue } from "../../api/types";
import { isOpen } from "../../editor/checking/fresh";

export interface IssuePlaces {
  readonly at: ReadonlyMap<string, readonly Issue[]>;
  /** Issues without a field in the form. */
  readonly above: readonly Issue[];
}

/** Leaves out unfed inputs: the part above the form names them, and offers what could feed them. */
export function groupIssues(issues: readonly Issue[], paths: readonly string[]): IssuePlaces {
  const at = new Map<string, Issue[]>();
  const above: Issue[] = [];
  for (const issue of issues) {
    if (issue.code === "port.unconnected") continue;
    const path = findOwner(issue.field, paths);
    if (path === null) above.push(issue);
    else at.set(path, [...(at.get(path) ?? []), issue]);
  }
  return { at, above };
}

/** The field for a dotted path: the field itself, else the innermost one around it. Null if there is none. */
export function findOwner(field: string | null, paths: readonly string[]): string | null {
  if (field === null) return null;
  const around = paths.filter((path) => field === path || field.startsWith(`${path}.`));
  return around.reduce<string | null>((best, path) => (path.length > (best?.length ?? 0) ? path : best), null);
}

/** The accessible error state of a control, or undefined without errors. */
export function markInvalid(issues: readonly Issue[]): true | undefined {
  return issues.every((issue) => issue.level !== "error" || isOpen(issue)) ? undefined : true;
}
