/** What is said of an expression at its field: the newest answer about its text, and what else the checks found. */
import type { Issue } from "../../api/types";
import { describeType } from "../type/types";
import type { TextCheck } from "./useTextCheck";

/** The answer about the text goes before what the checks of the whole graph say of it, which come later. */
export function mergeIssues(check: TextCheck | null, text: string, issues: readonly Issue[]): readonly Issue[] {
  if (check === null || text === "") return issues;
  const others = issues.filter(({ code }) => !code.startsWith("text."));
  const { error } = check.answer;
  return error === null ? others : [error, ...others];
}

/** What the text may mean otherwise than it reads; "" if nothing is to be said. */
export function describeNote(check: TextCheck | null, text: string): string {
  return check?.text === text ? check.answer.note : "";
}

/** The type of the result; "" while it is not known. */
export function describeResult(check: TextCheck | null, text: string): string {
  if (check?.text !== text || check.answer.type === null) return "";
  return describeType(check.answer.type);
}
