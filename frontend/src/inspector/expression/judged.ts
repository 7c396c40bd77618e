/** What is said of an expression at its field: the newest answer about its text, and what else the checks found. */
import type { Issue } from "../../api/types";
import { typeWords } from "../type/types";
import type { Checked } from "./useChecked";

/** The answer about the text goes before what the checks of the whole graph say of it, which come later. */
export function issuesWith(checked: Checked | null, text: string, found: readonly Issue[]): readonly Issue[] {
  if (checked === null || text === "") return found;
  const others = found.filter(({ code }) => code !== "expression.wrong");
  const { error } = checked.answer;
  return error === null ? others : [error, ...others];
}

/** What the text may mean otherwise than it reads; "" where nothing is to be said. */
export function noteWords(checked: Checked | null, text: string): string {
  return checked?.text === text ? checked.answer.note : "";
}

/** The type of the result; "" while it is not known. */
export function resultWords(checked: Checked | null, text: string): string {
  if (checked?.text !== text || checked.answer.type === null) return "";
  return typeWords(checked.answer.type);
}
