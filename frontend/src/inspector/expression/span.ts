/** Converts a span from the server's characters to the browser's UTF-16 units. */
export function convertSpan(text: string, [from, to]: readonly [number, number]): readonly [number, number] {
  const characters = Array.from(text);
  const start = characters.slice(0, from).join("").length;
  const end = characters.slice(0, to).join("").length;
  return end > start ? [start, end] : [Math.max(0, end - 1), Math.min(text.length, end + 1)];
}
