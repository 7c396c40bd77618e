import type { Shape } from "../../editor/layout/shape";

type Ports = readonly unknown[] | null;

/**
 * Whether React Flow measured a node while its ports were not drawn. Without bounds it has not measured it yet, and
 * will do so by itself.
 */
export function lacksPorts(
  bounds: { readonly source: Ports; readonly target: Ports } | undefined,
  { inputs, outputs }: Pick<Shape, "inputs" | "outputs">,
): boolean {
  if (bounds === undefined) return false;
  return (bounds.source ?? []).length < outputs.length || (bounds.target ?? []).length < inputs.length;
}
