import type { GraphNode } from "../../api/types";
import { MAX_LENGTHS } from "../../api/values";

const NODE_ID = new RegExp(`^[a-z0-9][a-z0-9-]{0,${MAX_LENGTHS.nodeId - 1}}$`);

/** A free id for a new node: its topic (`flights`), else its operator (`group-by-key`), numbered if taken. */
export function findFreeId(name: string, ids: Iterable<string>): string {
  const stem = makeSlug(name);
  const usedIds = new Set(ids);
  for (let number = 1; ; number += 1) {
    const id = number === 1 ? stem : `${stem.slice(0, MAX_LENGTHS.nodeId - 5)}-${number}`;
    if (!usedIds.has(id)) return id;
  }
}

export function makeSlug(text: string): string {
  const plain = text.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
  return plain.replaceAll(/^-+|-+$/g, "").slice(0, MAX_LENGTHS.nodeId) || "node";
}

/** Why a node cannot have this name, or null. */
export function checkId(id: string, self: string, nodes: readonly GraphNode[]): string | null {
  if (!NODE_ID.test(id)) return `Use up to ${MAX_LENGTHS.nodeId} of a-z, 0-9 and -, not starting with -.`;
  return id !== self && nodes.some((node) => node.id === id) ? `There is already a node called ${id}.` : null;
}
