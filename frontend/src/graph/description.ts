/** The text that Kafka Streams' `Topology.describe()` prints, as far as the page knows it: the server reads it. */

const MAX_NAME_LENGTH = 100;

/** Whether a text is one; a log may have put something in front on its first line. */
export function isDescription(text: string): boolean {
  return /^.*Topologies:\s*$/.test(text.trimStart().split("\n", 1)[0] ?? "");
}

/** What import reads: an export, or a description with the name of its file. Null when the text is neither. */
export function importable(text: string, file?: string): unknown {
  if (isDescription(text)) {
    const name = file?.replace(/\.[^.]*$/, "").trim().slice(0, MAX_NAME_LENGTH);
    return { description: text, ...(name ? { name } : {}) };
  }
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
