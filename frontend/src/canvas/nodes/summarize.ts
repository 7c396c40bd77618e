import type { FormSchema, GraphNode, Operator } from "../../api/types";
import { holds, readSettings } from "../../editor/graph/ports";
import { formatSpan } from "../../inspector/form/durations";

const FIELD = /\{(\w+)\}/g;

/** The settings of a node in one line: the first words of its operator with set fields. */
export function summarize({ config }: Pick<GraphNode, "config">, operator: Operator | undefined): string {
  if (operator === undefined) return "";
  const values = readSettings(operator, config);
  const part = operator.summary.find(
    ({ text, when }) => holds(when, values) && [...text.matchAll(FIELD)].every(([, name = ""]) => isSet(values[name])),
  );
  const write = (_: string, name: string) => formatValue(values[name], operator.form.properties?.[name]);
  return part?.text.replaceAll(FIELD, write) ?? "";
}

function isSet(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value != null && value !== "";
}

function formatValue(value: unknown, field: FormSchema | undefined): string {
  if (Array.isArray(value)) return formatNames(value);
  const isSpan = [field, ...(field?.anyOf ?? [])].some((one) => one?.format === "milliseconds");
  return isSpan && typeof value === "number" ? formatSpan(value) : String(value);
}

function formatNames(rows: readonly unknown[]): string {
  const names = rows.map((row) => (typeof row === "string" ? row : (row as { readonly name?: string } | null)?.name));
  return names.map((name) => name ?? "").join(", ");
}
