/** Completions at a place of an expression: names with their types, fields, functions and words. */
import type { FunctionHelp } from "../../api/types";
import { describeType, listMembers, type Type } from "../type/types";

/** The names for an expression. The fields of `spread` need no prefix. */
export interface Scope {
  readonly names: Readonly<Record<string, Type>>;
  readonly spread: string | null;
}

export interface Offer {
  /** The shown text, which the search compares. */
  readonly label: string;
  /** The inserted text. */
  readonly text: string;
  /** Its type, or its result type. */
  readonly detail: string;
  readonly help: string;
  readonly kind: "field" | "name" | "function" | "word";
}

export interface Offers {
  /** The beginning of the word to complete. */
  readonly from: number;
  readonly offers: readonly Offer[];
}

export const WORDS = [
  ..."AND OR NOT IN IS BETWEEN LIKE ILIKE RLIKE DIV".split(" "),
  ..."CASE WHEN THEN ELSE END NULL TRUE FALSE".split(" "),
] as const;
const KEYWORDS: ReadonlySet<string> = new Set([...WORDS, "REGEXP"]);
const PLAIN = /^[A-Za-z_][A-Za-z0-9_]*$/;
const NAME = "(?:[A-Za-z_][A-Za-z0-9_]*|`(?:[^`]|``)+`)";
const BEFORE = new RegExp(`((?:${NAME}\\.)*)(\`[^\`]*|[A-Za-z_][A-Za-z0-9_]*)?$`);

/** Completions for `before`, the text up to the cursor. Null if the user neither types a word nor asked. */
export function findOffers(
  before: string,
  scope: Scope,
  functions: readonly FunctionHelp[],
  isAsked: boolean,
): Offers | null {
  if (isInText(before)) return null;
  const [, path = "", word = ""] = BEFORE.exec(before) ?? [];
  if (path === "" && word === "" && !isAsked) return null;
  const from = before.length - word.length;
  if (path !== "") return { from, offers: listFieldOffers(findType(path, scope)) };
  const parameters = findParameters(before).map(makeParameterOffer);
  const names = [...parameters, ...listSpreadOffers(scope), ...listMemberOffers(scope), ...listNameOffers(scope)];
  return { from, offers: [...names, ...functions.map(call), ...WORDS.map(makeWordOffer)] };
}

/** What an expression can name, as it is written there: fields first, those without a prefix before the others. */
export function listNames(scope: Scope): readonly string[] {
  const { names, spread } = scope;
  const fields = listSpreadOffers(scope).map(({ text }) => text);
  const whole = spread === null || names[spread] === undefined || names[spread].kind === "struct" ? [] : [spread];
  const plain = Object.keys(names).filter((name) => name !== spread && listFieldOffers(names[name]).length === 0);
  return [...whole, ...fields, ...listMemberOffers(scope).map(({ text }) => text), ...plain];
}

/** A name in an expression, in backquotes if it needs them. */
export function quote(name: string): string {
  return PLAIN.test(name) && !KEYWORDS.has(name.toUpperCase()) ? name : `\`${name.replaceAll("`", "``")}\``;
}

/** Whether a single-quoted text is open at the end. */
function isInText(before: string): boolean {
  return (before.replaceAll(/`[^`]*`|\\./g, "").split("'").length - 1) % 2 === 1;
}

const ARROW = new RegExp(`(?:\\(([^()]*)\\)|(${NAME}))\\s*->`, "g");

/** The parameters of the lambdas whose bodies the end of the text is in, the innermost first. */
function findParameters(before: string): readonly string[] {
  const plain = before.replaceAll(/'(?:[^'\\]|\\.)*'/g, (text) => " ".repeat(text.length));
  const open = [...plain.matchAll(ARROW)].filter((head) => isOpen(plain.slice(head.index + head[0].length)));
  const names = open.reverse().flatMap(([, several, one]) => (several ?? one ?? "").split(","));
  return [...new Set(names.map((name) => name.trim()).filter((name) => name !== ""))];
}

/** Whether the body of a lambda goes on to the end: no comma or bracket outside of its own brackets ends it. */
function isOpen(body: string): boolean {
  let depth = 0;
  for (const sign of body) {
    if ("([".includes(sign)) depth += 1;
    if (")]".includes(sign)) depth -= 1;
    if (depth < 0 || (depth === 0 && sign === ",")) return false;
  }
  return true;
}

function makeParameterOffer(name: string): Offer {
  return { label: name, text: name, detail: "parameter", help: "", kind: "name" };
}

function listSpreadOffers({ names, spread }: Scope): readonly Offer[] {
  const type = spread === null ? undefined : names[spread];
  return listFieldOffers(type).filter(({ label }) => names[label] === undefined);
}

/** The fields that need a prefix, such as those of the other side of a join. They are found by their own name. */
function listMemberOffers({ names, spread }: Scope): readonly Offer[] {
  return Object.entries(names)
    .filter(([name]) => name !== spread)
    .flatMap(([name, type]) => listFieldOffers(type).map((offer) => ({ ...offer, text: `${name}.${offer.text}` })));
}

function listNameOffers({ names }: Scope): readonly Offer[] {
  return Object.entries(names).map(([label, type]) => ({
    label,
    text: label,
    detail: describeType(type),
    help: "",
    kind: "name",
  }));
}

function listFieldOffers(type: Type | undefined): readonly Offer[] {
  if (type?.kind !== "struct") return [];
  return listMembers(type).map((member) => ({
    label: member.name,
    text: quote(member.name),
    detail: describeType(member.type),
    help: "",
    kind: "field",
  }));
}

function call({ name, signature, help }: FunctionHelp): Offer {
  const [call = name, gives = ""] = signature.split(" -> ");
  return { label: name, text: `${name}()`, detail: gives, help: `${call}\n${help}`, kind: "function" };
}

function makeWordOffer(word: string): Offer {
  return { label: word, text: word, detail: "", help: "", kind: "word" };
}

/** The type at a dotted path such as `value.address.`. A path may begin with a field of the spread name. */
function findType(path: string, { names, spread }: Scope): Type | undefined {
  const [first = "", ...steps] = (path.match(new RegExp(NAME, "g")) ?? []).map(removeQuotes);
  const root = names[first] ?? findField(spread === null ? undefined : names[spread], first);
  return steps.reduce(findField, root);
}

function findField(type: Type | undefined, name: string): Type | undefined {
  return type?.fields?.find((member) => member.name === name)?.type;
}

function removeQuotes(name: string): string {
  return name.startsWith("`") ? name.slice(1, -1).replaceAll("``", "`") : name;
}
