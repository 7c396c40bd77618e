/** The text that Kafka Streams' `Topology.describe()` prints, as far as the page knows it: the server reads it. */
import type { ExportFile } from "../api/types";
import { MAX_LENGTHS } from "../api/values";

/** Whether a text is one; a log may have put something in front on its first line. */
export function isDescription(text: string): boolean {
  return /^.*Topologies:\s*$/.test(text.trimStart().split("\n", 1)[0] ?? "");
}

/** What import sends: an export, or a description with the name of its file. Null when the text is neither. */
export function parseImport(text: string, file?: string): ExportFile | null {
  if (isDescription(text)) {
    const name = file?.replace(/\.[^.]*$/, "").trim().slice(0, MAX_LENGTHS.topologyName);
    return { description: text, ...(name ? { name } : {}) };
  }
  try {
    return JSON.parse(text) as ExportFile; // which the server judges
  } catch {
    return null;
  }
}
