/** The fields of a struct as rows of a form: what is in a row for a member's JSON, and back. */
import type { Type } from "../../api/types";

export interface FormField {
  readonly name: string;
  readonly kind: string;
}

/** The fields of a struct; none of any other type. */
export function listFields(type: Type | undefined): readonly FormField[] {
  return type?.kind === "struct" ? (type.fields ?? []).map(({ name, type: of }) => ({ name, kind: of.kind })) : [];
}

/** What a row shows of a member: a text without its quotes, null as nothing. */
export function readField({ kind }: FormField, json: string | undefined): string {
  if (json === undefined || json === "null") return "";
  return isText(kind) && json.startsWith('"') ? (JSON.parse(json) as string) : json;
}

/** The JSON of what is in a row; what is no JSON is a text. */
export function writeField({ kind }: FormField, text: string): string {
  if (text === "") return "null";
  if (isText(kind)) return JSON.stringify(text);
  return isJson(text) ? text : JSON.stringify(text);
}

function isText(kind: string): boolean {
  return kind === "string" || kind === "bytes";
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
