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

/**
 * The name that a node takes when its topic is no longer `before`, or null if it keeps its own because its user chose
 * it. Nobody has chosen a name that comes from the operator or from the topic before.
 */
export function findTopicName(
  { id, operator, config: { topic } }: Pick<GraphNode, "id" | "operator" | "config">,
  before: string,
  nodes: readonly Pick<GraphNode, "id">[],
): string | null {
  if (typeof topic !== "string" || topic === "" || topic === before) return null;
  const stems = [operator, before].flatMap((name) => (name === "" ? [] : [makeSlug(name)]));
  if (!stems.some((stem) => id === stem || id.replace(/-\d+$/, "") === stem)) return null;
  const name = findFreeId(topic, nodes.flatMap((node) => (node.id === id ? [] : [node.id])));
  return name === id ? null : name;
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
