/** The issues at the field of an expression: the newest answer about its text, and other findings of the checks. */
import type { Issue } from "../../api/types";
import { describeType } from "../type/types";
import type { TextCheck } from "./useTextCheck";

/** The answer about the text replaces issues of the whole graph's checks, which come later. */
export function mergeIssues(check: TextCheck | null, text: string, issues: readonly Issue[]): readonly Issue[] {
  if (check === null || text === "") return issues;
  const others = issues.filter(({ code }) => !code.startsWith("text."));
  const { error } = check.answer;
  return error === null ? others : [error, ...others];
}

/** A possible other meaning of the text, or "" if there is none. */
export function describeNote(check: TextCheck | null, text: string): string {
  return check?.text === text ? check.answer.note : "";
}

/** The type of the result, or "" while unknown. */
export function describeResult(check: TextCheck | null, text: string): string {
  if (check?.text !== text || check.answer.type === null) return "";
  return describeType(check.answer.type);
}
