/** JSON as it is typed, and as it is in a config: as text, or as what it says. */

export function formatJson(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** What a config is to hold; where a value is wanted, what is no JSON yet leaves the one `before`. */
export function parseJson(text: string, isObject: boolean, before: unknown): unknown {
  if (text.trim() === "") return undefined;
  if (!isObject) return text;
  return isJson(text) ? JSON.parse(text) : before;
}
