/** JSON on one line or on many, with the spelling of numbers and texts unchanged: a long id loses no digit. */

const TOKEN = /"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+/g;
const INDENT = "  ";
/** Deeper members begin no further right: a record of 16 KB may nest 8,000 lists, whose indents were 128 MB. */
const DEEPEST = 50;

/** One line. A text that is not JSON only loses its line breaks. */
export function compact(text: string): string {
  return isJson(text) ? splitTokens(text).join("") : text.replaceAll(/\s+/g, " ");
}

/** A line for each member. A text that is not JSON stays unchanged. */
export function indentJson(text: string): string {
  return isJson(text) ? layOutTokens(splitTokens(text)) : text;
}

/** A member as text: a string without its quotes, another value unchanged. */
export function readText(json: string | undefined): string | null {
  if (json === undefined || json === "null") return null;
  return json.startsWith('"') ? (JSON.parse(json) as string) : json;
}

/** The members of an object by name, each value unchanged. None for other texts. */
export function parseMembers(text: string): ReadonlyMap<string, string> {
  const all = isJson(text) ? splitTokens(text) : [];
  if (all[0] !== "{") return new Map();
  const members: string[][] = [[]];
  let depth = 0;
  for (const token of all.slice(1, -1)) {
    if (isOpening(token)) depth += 1;
    if (isClosing(token)) depth -= 1;
    if (token === "," && depth === 0) members.push([]);
    else members.at(-1)?.push(token);
  }
  return new Map(
    members.flatMap(([name, , ...value]) => (name === undefined ? [] : [[JSON.parse(name) as string, value.join("")]])),
  );
}

function layOutTokens(all: readonly string[]): string {
  let depth = 0;
  const breakLine = () => `\n${INDENT.repeat(Math.min(depth, DEEPEST))}`;
  return all
    .map((token, index) => {
      const isEmpty = isOpening(all[index - 1]) && isClosing(token);
      if (isOpening(token)) depth += 1;
      if (isClosing(token)) depth -= 1;
      const before = isClosing(token) && !isEmpty ? breakLine() : "";
      const after = token === "," || (isOpening(token) && !isClosing(all[index + 1])) ? breakLine() : "";
      return `${before}${token}${token === ":" ? " " : ""}${after}`;
    })
    .join("");
}

function splitTokens(text: string): readonly string[] {
  return text.match(TOKEN) ?? [];
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function isOpening(token: string | undefined): boolean {
  return token === "{" || token === "[";
}

function isClosing(token: string | undefined): boolean {
  return token === "}" || token === "]";
}
