/** JSON while the user types and in a config: as text, or as its value. */

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

/** The value for a config. If it needs a JSON value, invalid text keeps the one `before`. */
export function parseJson(text: string, isObject: boolean, before: unknown): unknown {
  if (text.trim() === "") return undefined;
  if (!isObject) return text;
  return isJson(text) ? JSON.parse(text) : before;
}
