/** A node of a topology or of its job that reads or writes something. */
interface Use {
  readonly topology: number;
  readonly job: number | null;
  readonly name: string;
  readonly does: "reads" | "writes";
  readonly node: string;
}

export interface UserLine extends Omit<Use, "node"> {
  readonly nodes: readonly string[];
}

/** One line for each topology and what it does, with its nodes. */
export function groupUses(uses: readonly Use[]): readonly UserLine[] {
  const lines = new Map<string, UserLine>();
  for (const { topology, job, name, does, node } of uses) {
    const key = `${topology} ${job} ${does}`;
    lines.set(key, { topology, job, name, does, nodes: [...(lines.get(key)?.nodes ?? []), node] });
  }
  return [...lines.values()];
}
