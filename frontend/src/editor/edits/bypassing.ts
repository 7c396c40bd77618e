import { bypass } from "../document/document";
import type { Editing } from "../interface/useEditor";

type Stores = Pick<Editing, "store" | "ui" | "rules">;

/** The selected nodes that can be bypassed, and whether all are. */
export function findBypassable({ store, ui, rules }: Stores) {
  const { nodes: ids } = ui.getState().selection;
  const nodes = store
    .getState()
    .document.graph.nodes.filter(({ id, operator }) => ids.has(id) && rules.operators.get(operator)?.is_bypassable);
  return { ids: new Set(nodes.map(({ id }) => id)), areBypassed: nodes.every(({ bypassed }) => bypassed === true) };
}

/** Bypasses the selected nodes, or restores them if all are bypassed. */
export function toggleBypass(stores: Stores): void {
  const { ids, areBypassed } = findBypassable(stores);
  if (ids.size > 0) stores.store.getState().edit(bypass(ids, !areBypassed));
}
