/** Types of values in the API, their words and their edits. */

import type { Member, Type } from "../../api/types";

export type { Member, Type };
export type Kind = Type["kind"];

/** The kinds to choose from. A union comes only from an Avro schema. */
export const KINDS: readonly Kind[] = [
  "boolean",
  "integer",
  "double",
  "decimal",
  "string",
  "bytes",
  "list",
  "struct",
  "map",
  "any",
];

const MONEY = { precision: 10, scale: 2 };

/** "integer", "integer (date)", "decimal(10,2)", "list of string", "union of int, string", "struct of 19 fields" */
export function describeType({ kind, item, fields = [], precision = 0, scale = 0, logical }: Type): string {
  if (logical !== undefined) return `${kind} (${logical})`;
  if (kind === "union") return `union of ${fields.map(({ name }) => name).join(", ")}`;
  if (kind === "any") return "unknown";
  if (kind === "decimal") return `decimal(${precision},${scale})`;
  if (holdsItems(kind)) return item === undefined || item.kind === "any" ? kind : `${kind} of ${describeType(item)}`;
  if (kind !== "struct") return kind;
  return fields.length === 1 ? "struct of 1 field" : `struct of ${fields.length} fields`;
}

/** Lists hold items by position, maps by a text. */
export function holdsItems(kind: Kind): boolean {
  return kind === "list" || kind === "map";
}

/** The fields below a type: its own, or those of its items. */
export function listMembers(type: Type): readonly Member[] {
  return holdsItems(type.kind) && type.item !== undefined ? listMembers(type.item) : (type.fields ?? []);
}

/** A type of another kind. It keeps the old one's contents if it can hold them. */
export function ofKind(kind: Kind, before: Type | undefined): Type {
  if (kind === "struct") return { kind, fields: before?.fields ?? [] };
  if (kind === "decimal") return { kind, ...MONEY };
  if (holdsItems(kind)) return { kind, item: before?.item ?? { kind: "string" } };
  return { kind };
}

export function withMember(type: Type, index: number, member: Member): Type {
  return { ...type, fields: (type.fields ?? []).with(index, member) };
}

export function withoutMember(type: Type, index: number): Type {
  return { ...type, fields: (type.fields ?? []).filter((_, at) => at !== index) };
}

export function addMember(type: Type): Type {
  return { ...type, fields: [...(type.fields ?? []), { name: "", type: { kind: "string" } }] };
}
