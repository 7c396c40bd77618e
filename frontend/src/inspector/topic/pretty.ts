/** JSON over several lines; any other text as it is. */
export function pretty(text: string | null): string {
  if (text === null) return "null";
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
