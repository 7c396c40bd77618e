/** The output of Kafka Streams' `Topology.describe()`, as far as the page knows it. The server reads it. */
import type { ExportFile } from "../../api/types";
import { MAX_LENGTHS } from "../../api/values";

/** Whether a text holds a description, however it is quoted. An export does not, whatever its texts say. */
export function isDescription(text: string): boolean {
  return !isExport(text) && /^.*topologies:\s*$|sub-topology:\s*\d/im.test(text.replaceAll(/\\+[nr]/g, "\n"));
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

function isExport(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return value !== null && typeof value === "object" && ("streamwright" in value || "graph" in value);
  } catch {
    return false;
  }
}
