/** The fields of a struct as rows of a form: conversion from a member's JSON to its row and back. */
import type { Type } from "../../api/types";
import { isJson } from "../../ui/text/json";

export interface FormField {
  readonly name: string;
  readonly kind: string;
}

/** The fields of a struct. Other types have none. */
export function listFields(type: Type | undefined): readonly FormField[] {
  return type?.kind === "struct" ? (type.fields ?? []).map(({ name, type: of }) => ({ name, kind: of.kind })) : [];
}

/** The text of a member's row: a text without its quotes, null as nothing. */
export function readField({ kind }: FormField, json: string | undefined): string {
  if (json === undefined || json === "null") return "";
  return isText(kind) && json.startsWith('"') ? (JSON.parse(json) as string) : json;
}

/** The JSON of a row's text. Text that is not JSON becomes a string. */
export function writeField({ kind }: FormField, text: string): string {
  if (text === "") return "null";
  if (isText(kind)) return JSON.stringify(text);
  return isJson(text) ? text : JSON.stringify(text);
}

function isText(kind: string): boolean {
  return kind === "string" || kind === "bytes";
}
