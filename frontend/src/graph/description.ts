/** The output of Kafka Streams' `Topology.describe()`, as far as the page knows it. The server reads it. */
import type { ExportFile } from "../api/types";
import { MAX_LENGTHS } from "../api/values";

/** Whether a text is a description. A log may have put something before its first line. */
export function isDescription(text: string): boolean {
  return /^.*Topologies:\s*$/.test(text.trimStart().split("\n", 1)[0] ?? "");
}

/** The body of an import: an export, or a description with its file name. Null for any other text. */
export function parseImport(text: string, file?: string): ExportFile | null {
  if (isDescription(text)) {
    const name = file?.replace(/\.[^.]*$/, "").trim().slice(0, MAX_LENGTHS.topologyName);
    return { description: text, ...(name ? { name } : {}) };
  }
  try {
    return JSON.parse(text) as ExportFile; // the server checks it
  } catch {
    return null;
  }
}
