/** Fixes an issue with one click: the server's proposal replaces a field's text. */
import type { Issue } from "../../api/types";
import { configure, findNode, type Config, type Document } from "../document/document";

type FixableIssue = Pick<Issue, "node" | "field" | "fix">;

/** The graph with the issue's fix. Unchanged without a fix, or if the field no longer exists. */
export function applyFix(document: Document, { node, field, fix }: FixableIssue): Document {
  const config = node === null ? undefined : findNode(document, node)?.config;
  if (node === null || field === null || fix === null || config === undefined) return document;
  const newConfig = replaceAt(config, field.split("."), fix.replacement);
  return newConfig === config ? document : configure(node, newConfig as Config)(document);
}

/** A copy of `value` with `text` at the end of the path, also in an empty field. `value` if a row is missing. */
function replaceAt(value: unknown, [step, ...steps]: readonly string[], text: string): unknown {
  if (step === undefined) return text;
  const isField = steps.length === 0 && !Array.isArray(value);
  if (typeof value !== "object" || value === null || !(isField || Object.hasOwn(value, step))) return value;
  const before = (value as Readonly<Record<string, unknown>>)[step];
  const after = replaceAt(before, steps, text);
  if (after === before) return value;
  return Array.isArray(value) ? value.with(Number(step), after) : { ...value, [step]: after };
}
