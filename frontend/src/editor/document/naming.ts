import type { GraphNode } from "../../api/types";

const MAX_LENGTH = 64;
const NODE_ID = /^[a-z0-9][a-z0-9-]{0,63}$/;

/** A free id for a new node: what it is about (`flights`), else its operator (`group-by-key`), numbered if taken. */
export function freeId(name: string, ids: Iterable<string>): string {
  const stem = slug(name);
  const usedIds = new Set(ids);
  for (let number = 1; ; number += 1) {
    const id = number === 1 ? stem : `${stem.slice(0, MAX_LENGTH - 5)}-${number}`;
    if (!usedIds.has(id)) return id;
  }
}

export function slug(text: string): string {
  const plain = text.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
  return plain.replaceAll(/^-+|-+$/g, "").slice(0, MAX_LENGTH) || "node";
}

/** Why a node cannot have this name, or null. */
export function wrongId(id: string, self: string, nodes: readonly GraphNode[]): string | null {
  if (!NODE_ID.test(id)) return "Use up to 64 of a-z, 0-9 and -, not starting with -.";
  return id !== self && nodes.some((node) => node.id === id) ? `There is already a node called ${id}.` : null;
}
