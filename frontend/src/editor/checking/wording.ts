import type { Issue } from "../../api/types";

export interface IssueWords {
  readonly message: string;
  /** The next step, or what belongs into the field. */
  readonly hint: string;
}

/**
 * An issue in the words of the form that shows its field: "The size is …" for "`size_ms` is …".
 * The server's sentences serve programs, too, and have the names that they write.
 */
export function wordIssue({ code, field, message, hint, args }: Issue): IssueWords {
  const name = findName(field);
  if (name === null) return { message, hint };
  const words = nameField(field);
  if (code === "field.missing") return { message: `Set ${words}.`, hint: capitalise(readHelp(args.help)) };
  const inWords = message.replaceAll(`\`${name}\``, (_, at: number) => (at === 0 ? capitalise(words) : words));
  return { message: inWords, hint: code === "field.invalid" ? capitalise(readHelp(args.help)) : hint };
}

/** "the expression" for `functions.0.expression`, "the size" for `size_ms`, or "this" without a field. */
function nameField(field: string | null): string {
  const name = findName(field);
  return name === null ? "this" : `the ${splitName(name)}`;
}

/** "Gap" for `gap_ms`. */
export function nameSetting(name: string): string {
  return capitalise(splitName(name));
}

/** Fields whose label is not their name. */
const LABELS: Readonly<Record<string, string>> = { ttl: "time to live", idle: "idle time" };

function splitName(name: string): string {
  const words = name
    .replace(/_(ms|mb)$/, "")
    .replaceAll("_", " ")
    .replace(/^avro /, "");
  return LABELS[words] ?? words;
}

/** The last step of a path that is no place in a list. */
function findName(field: string | null): string | null {
  return field?.split(".").findLast((step) => !/^\d+$/.test(step)) ?? null;
}

function readHelp(help: unknown): string {
  return typeof help === "string" ? help : "";
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
